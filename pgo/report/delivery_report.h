// What deliver_recording() did, as messages and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "pgo/delivery/delivery.h"
#include "pgo/report/message.h"

namespace pgo {

std::vector<Message> delivery_messages(const DeliveryResult& result);
nlohmann::json delivery_json(const DeliveryRequest& request, const DeliveryResult& result);

}  // namespace pgo
