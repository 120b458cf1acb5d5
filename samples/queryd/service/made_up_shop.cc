// A shop that is made up: its tables, and what its hosts are asked.
//
// Orders come and go: each new one lets the oldest be archived, so that the tables stay as large as
// they are and a request costs the same early and late.
#include <array>
#include <iterator>

#include "service/request_log.h"

namespace queryd {
namespace {

constexpr uint64_t kCustomers = 240, kProducts = 160, kOrders = 400;
constexpr uint64_t kDays = 365;

constexpr const char* kTables[] = {
    "create table customers (id int key, name text, city text index, since int, credit int)",
    "create table products (id int key, name text, category text index, price int, stock int)",
    "create table orders (id int key, customer int index, day int, state text, note text)",
    "create table items (order_id int index, product int index, quantity int, price int)"};
constexpr const char* kCities[] = {"Lisbon", "Oslo",   "Graz",  "Cork",  "Turin",
                                   "Ghent",  "Tromso", "Porto", "Malmo", "Split"};
constexpr const char* kFirstNames[] = {"Ada",  "Ben",  "Cleo",  "Dora",
                                       "Emil", "Finn", "Greta", "Hugo"};
constexpr const char* kLastNames[] = {"Berg", "Costa", "Dahl", "Eder", "Falk", "O''Neill", "Varga"};
constexpr const char* kCategories[] = {"tools", "kitchen", "garden", "books", "toys", "paper"};
constexpr const char* kAdjectives[] = {"small",   "large", "red",  "blue",
                                       "folding", "heavy", "plain"};
constexpr const char* kThings[] = {"hammer", "kettle",   "spade", "atlas",
                                   "kite",   "notebook", "lamp"};
constexpr const char* kStates[] = {"open", "paid", "packed", "shipped", "returned"};
constexpr const char* kNotes[] = {"null", "''", "'gift, please wrap'", "'ring twice'",
                                  "'leave with \"Eva\"'"};

constexpr HostKind kHostKinds[] = {HostKind::kShop, HostKind::kWarehouse, HostKind::kReports};

// Parts of a request, put together: texts as they are, numbers in decimal.
class Words {
 public:
  explicit Words(std::string& out) : out_(out) {}
  Words& operator<<(const char* text) {
    out_ += text;
    return *this;
  }
  Words& operator<<(uint64_t number) {
    std::array<char, 20> digits;
    auto at = digits.end();
    do *--at = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    out_.append(at, digits.end());
    return *this;
  }

 private:
  std::string& out_;
};

class Shop final : public RequestLog {
 public:
  Shop(HostKind kind, uint64_t count, uint64_t seed) : kind_(kind), left_(count), random_(seed) {}

  bool next(std::string& request) override {
    request.clear();
    Words words(request);
    if (prepared_ < kPreparations) {
      prepare(words, prepared_++);
      return true;
    }
    if (left_ == 0) return false;
    left_--;
    if (follow_ups_ > 0) {
      follow_up(words);
    } else if (random_.one_in(400)) {
      mistake(words);
    } else {
      // Hosts differ in what they are asked most; none is asked one thing only.
      switch (random_.one_in(4) ? random_.pick(kHostKinds) : kind_) {
        case HostKind::kShop: shop(words); break;
        case HostKind::kWarehouse: warehouse(words); break;
        case HostKind::kReports: report(words); break;
      }
    }
    return true;
  }

 private:
  static constexpr uint64_t kPreparations =
      std::size(kTables) + kCustomers + kProducts + 2 * kOrders;

  // The requests that fill the tables, by their number.
  void prepare(Words& out, uint64_t number) {
    if (number < std::size(kTables)) {
      out << kTables[number];
      return;
    }
    number -= std::size(kTables);
    if (number < kCustomers) {
      out << "insert into customers values (" << number << ", '" << random_.pick(kFirstNames) << " "
          << random_.pick(kLastNames) << "', '" << random_.pick(kCities) << "', "
          << random_.within(1998, 2024) << ", " << random_.skewed(2000) << ")";
      return;
    }
    number -= kCustomers;
    if (number < kProducts) {
      out << "insert into products values (" << number << ", '" << random_.pick(kAdjectives) << " "
          << random_.pick(kThings) << "', '" << random_.pick(kCategories) << "', "
          << random_.within(2, 300) << ", " << random_.below(500) << ")";
      return;
    }
    number -= kProducts;
    if (number % 2 == 0)
      new_order(out);
    else
      new_items(out);
  }

  void shop(Words& out) {
    uint64_t dice = random_.below(100);
    if (dice < 30) {
      out << "select name, price, stock from products where id = " << product();
    } else if (dice < 42) {
      out << "select id, name, price from products where category = '" << random_.pick(kCategories)
          << "' and price <= " << random_.within(50, 300) << " order by price, id limit 8";
    } else if (dice < 54) {
      out << "SELECT o.id, o.state, sum(i.quantity * i.price) AS total FROM orders o JOIN items i "
             "ON "
             "i.order_id = o.id WHERE o.customer = "
          << customer() << " GROUP BY o.id, o.state ORDER BY o.id DESC LIMIT 5";
    } else if (dice < 64) {
      new_order(out);
      follow_ups_ = 3;
    } else if (dice < 74) {
      out << "select c.name, c.city, o.day, coalesce(o.note, '-') from orders o join customers c "
             "on "
             "c.id = o.customer where o.id = "
          << order();
    } else if (dice < 82) {
      out << "update products set stock = stock - " << random_.within(1, 3)
          << " where id = " << product() << " and stock >= 3";
    } else if (dice < 88) {
      out << "update orders set state = 'paid' where id = " << order() << " and state = 'open'";
    } else if (dice < 92) {
      out << "select distinct p.category from items i join products p on p.id = i.product join "
             "orders o on o.id = i.order_id where o.customer = "
          << customer();
    } else if (dice < 97) {
      out << "select id, name from products where name like '%" << random_.pick(kThings)
          << "' and stock > 0 order by name, id limit 5";
    } else {
      out << "select count(*), max(day) from orders where customer = " << customer()
          << " and state <> 'returned'";
    }
  }

  void warehouse(Words& out) {
    uint64_t dice = random_.below(100);
    if (dice < 20) {
      out << "update products set stock = stock + " << random_.within(5, 60) << " where id in ("
          << product() << ", " << product() << ", " << product() << ")";
    } else if (dice < 40) {
      out << "select p.id, p.name, i.quantity, p.stock - i.quantity as rest from items i join "
             "products p on p.id = i.product where i.order_id = "
          << order() << " order by rest";
    } else if (dice < 58) {
      out << "update orders set state = case when state = 'open' then 'paid' when state = 'paid' "
             "then 'packed' else 'shipped' end where id = "
          << order();
    } else if (dice < 66) {
      out << "select id, stock from products where stock < " << random_.within(1, 12)
          << " order by stock, id limit 10";
    } else if (dice < 76) {
      out << "update products set price = price * " << random_.within(97, 104)
          << " / 100 + 1 where category = '" << random_.pick(kCategories)
          << "' and price between 3 and " << random_.within(4, 200);
    } else if (dice < 84) {
      new_order(out);
      follow_ups_ = 3;
    } else if (dice < 94) {
      out << "select upper(c.city) || ': ' || c.name, o.state from orders o join customers c on "
             "c.id "
             "= o.customer where o.id = "
          << order() << " and not (o.state in ('shipped', 'returned') or o.note is null)";
    } else {
      out << "select sum(quantity), count(*) from items where product = " << product();
    }
  }

  void report(Words& out) {
    uint64_t dice = random_.below(100), day = random_.below(kDays - 20);
    if (dice < 18) {
      out << "select c.city, count(*) as orders, sum(i.quantity * i.price) as total from orders o "
             "join customers c on c.id = o.customer join items i on i.order_id = o.id where o.day "
             "between "
          << day << " and " << day + 20
          << " group by c.city having count(*) > 2 order by total desc, c.city limit 10";
    } else if (dice < 36) {
      out << "select state, count(*), min(day), max(day), avg(id % 7) from orders where customer < "
          << customer() + 1 << " group by state order by state";
    } else if (dice < 52) {
      out << "select p.category, sum(i.quantity) from products p join items i on i.product = p.id "
             "where p.category like '"
          << random_.pick(kCategories) << "%' and i.quantity > 1 group by p.category";
    } else if (dice < 66) {
      out << "select substr(name, 1, 1) as initial, count(*), avg(credit) from customers where "
             "city = '"
          << random_.pick(kCities) << "' and since not between 2000 and "
          << random_.within(2001, 2010) << " group by substr(name, 1, 1) order by initial";
    } else if (dice < 74) {
      out << "select a.name, b.name from products a join products b on b.price = a.price and b.id "
             "> "
             "a.id where a.category = '"
          << random_.pick(kCategories) << "' order by a.name, b.name limit 6";
    } else if (dice < 88) {
      out << "select o.customer, length(o.note), case when o.day < 100 then 'early' when o.day < "
             "200 "
             "then 'middle' else 'late' end from orders o where o.note like '%i%' and o.day = "
          << random_.below(kDays) << " order by o.customer";
    } else {
      new_order(out);
      follow_ups_ = 3;
    }
  }

  void new_order(Words& out) {
    out << "insert into orders values (" << next_order_++ << ", " << customer() << ", "
        << random_.below(kDays) << ", '" << random_.pick(kStates) << "', " << random_.pick(kNotes)
        << ")";
  }

  void new_items(Words& out) {
    out << "insert into items values ";
    for (uint64_t count = random_.within(1, 4); count > 0; count--)
      out << "(" << next_order_ - 1 << ", " << product() << ", " << random_.within(1, 5) << ", "
          << random_.within(2, 300) << (count > 1 ? "), " : ")");
  }

  // After a new order: its items, and the oldest order goes.
  void follow_up(Words& out) {
    switch (follow_ups_--) {
      case 3: new_items(out); break;
      case 2: out << "delete from items where order_id = " << next_order_ - kOrders - 1; break;
      default: out << "delete from orders where id = " << next_order_ - kOrders - 1;
    }
  }

  void mistake(Words& out) {
    switch (random_.below(6)) {
      case 0: out << "select name form products where id = " << product(); break;
      case 1: out << "select colour from products where id = " << product(); break;
      case 2: out << "select price / stock - stock / (price - price) from products"; break;
      case 3:
        out << "insert into products values (" << product() << ", 'twice', 'toys', 1, 1)";
        break;
      case 4: out << "update orders set day = 'today' where id = " << order(); break;
      default: out << "select name from customers where name = 'Ada"; break;
    }
  }

  uint64_t customer() { return random_.skewed(kCustomers); }
  uint64_t product() { return random_.skewed(kProducts); }
  uint64_t order() { return next_order_ - 1 - random_.skewed(kOrders); }

  HostKind kind_;
  uint64_t left_;
  Random random_;
  uint64_t prepared_ = 0, next_order_ = 1;
  unsigned follow_ups_ = 0;
};

}  // namespace

std::optional<HostKind> host_kind_named(std::string_view name) {
  if (name == "shop") return HostKind::kShop;
  if (name == "warehouse") return HostKind::kWarehouse;
  if (name == "reports") return HostKind::kReports;
  return std::nullopt;
}

std::unique_ptr<RequestLog> make_up_requests(HostKind kind, uint64_t count, uint64_t seed) {
  return std::make_unique<Shop>(kind, count, seed);
}

}  // namespace queryd
