// Parser: a request's text -> its syntax, by recursive descent.
//
//   [explain] select [distinct] OUTPUT [as NAME], ... from TABLE [NAME] [join TABLE [NAME] on E]
//   ...
//       [where E] [group by E, ...] [having E] [order by E [desc], ...] [limit N]
//   insert into TABLE values (E, ...), ...
//   update TABLE set COLUMN = E, ... [where E]
//   delete from TABLE [where E]
//   create table TABLE (COLUMN int|text [key|index], ...)
#pragma once

#include <string_view>

#include "engine/arena.h"
#include "engine/syntax.h"

namespace queryd {

// Throws RequestError where `request` is none. The result lives in `arena` and refers to `request`.
Statement parse_request(std::string_view request, Arena& arena);

}  // namespace queryd
