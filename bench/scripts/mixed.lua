-- mixed.lua ROUNDS: queens, string work, tables, sorting and closures for Lua 5.4 and LuaJIT alike.
local rounds = tonumber(arg[1]) or 1

local function queens(n)
    local cols, up, down, count = {}, {}, {}, 0
    local function place(row)
        if row > n then count = count + 1 return end
        for c = 1, n do
            if not cols[c] and not up[row + c] and not down[row - c + n] then
                cols[c], up[row + c], down[row - c + n] = true, true, true
                place(row + 1)
                cols[c], up[row + c], down[row - c + n] = nil, nil, nil
            end
        end
    end
    place(1)
    return count
end

local function words(n)
    local out = {}
    for i = 1, n do out[#out + 1] = ("w%d-%s"):format(i * 7919 % 1009, ("xyz"):rep(i % 4)) end
    local text, seen = table.concat(out, " "), {}
    for w in text:gmatch("%S+") do seen[w] = (seen[w] or 0) + 1 end
    local keys = {}
    for k in pairs(seen) do keys[#keys + 1] = k end
    table.sort(keys)
    return #keys .. keys[1] .. keys[#keys] .. #(text:gsub("x", "ab"))
end

local Point = {}
Point.__index = Point
Point.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Point) end
function Point:norm() return self.x * self.x + self.y * self.y end

local function objects(n)
    local p, step, sum = setmetatable({ x = 0, y = 0 }, Point), setmetatable({ x = 1, y = 2 }, Point), 0
    for i = 1, n do
        p = p + step
        sum = (sum + p:norm()) % 1000003
    end
    return sum
end

local function sieve(n)
    local t, count = {}, 0
    for i = 2, n do t[i] = true end
    for i = 2, n do
        if t[i] then
            count = count + 1
            for j = i * i, n, i do t[j] = false end
        end
    end
    return count
end

for r = 1, rounds do
    print(r, queens(8), words(5000), string.format("%d", objects(100000)), sieve(200000))
end
