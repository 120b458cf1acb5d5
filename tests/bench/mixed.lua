-- A mixed load for the Lua interpreter: calls, tables, strings, patterns, methods, closures.
-- Usage: lua mixed.lua ROUNDS
local rounds = tonumber(arg[1])

local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function primes(limit)
  local composite, count = {}, 0
  for i = 2, limit do
    if not composite[i] then
      count = count + 1
      for j = i * i, limit, i do composite[j] = true end
    end
  end
  return count
end

local function word_counts(n)
  local counts, keys = {}, {}
  for i = 1, n do
    local key = ("k%d"):format(i * 7919 % 1009)
    counts[key] = (counts[key] or 0) + i
  end
  for key in pairs(counts) do keys[#keys + 1] = key end
  table.sort(keys)
  return #table.concat(keys, ",")
end

local Stack = {}
Stack.__index = Stack
function Stack.new() return setmetatable({ size = 0 }, Stack) end
function Stack:push(value)
  self.size = self.size + 1
  self[self.size] = value
  return self
end
function Stack:pop()
  local value = self[self.size]
  self[self.size] = nil
  self.size = self.size - 1
  return value
end

local function stacked(n)
  local stack, sum = Stack.new(), 0
  for i = 1, n do stack:push(i % 13):push(i) end
  while stack.size > 0 do sum = (sum + stack:pop()) % 65537 end
  return sum
end

local function text(n)
  local length = 0
  for word in ("the quick brown fox jumps over the lazy dog "):rep(n):gmatch("%a+") do
    length = length + #word:upper()
  end
  return length + #(("x-y"):rep(n):gsub("%-", { ["-"] = "+" }))
end

local sum = 0
for _ = 1, rounds do
  sum = sum + fib(20) + primes(10000) + word_counts(10000) + stacked(20000) + text(300)
end
print(sum)
