-- numeric.lua N: the loops a tracing compiler likes: matrix product, a heat equation, string hashing.
local n = tonumber(arg[1]) or 100

local function matrix(f)
    local m = {}
    for i = 1, n do
        m[i] = {}
        for j = 1, n do m[i][j] = f(i, j) end
    end
    return m
end

local a, b = matrix(function(i, j) return (i + j) % 7 end), matrix(function(i, j) return (i * j) % 5 end)
local c = matrix(function() return 0 end)
for i = 1, n do
    for j = 1, n do
        local sum = 0
        for k = 1, n do sum = sum + a[i][k] * b[k][j] end
        c[i][j] = sum
    end
end

local heat = {}
for i = 0, 10 * n do heat[i] = i % 10 end
for _ = 1, 5 * n do
    for i = 1, 10 * n - 1 do heat[i] = heat[i] + 0.2 * (heat[i - 1] - 2 * heat[i] + heat[i + 1]) end
end

local h, text = 5381, ("the quick brown fox "):rep(n)
for r = 1, n do
    for i = 1, #text do h = (h * 33 + text:byte(i)) % 16777213 end
end
print(c[n][n], c[1][n], string.format("%.6f %d", heat[5 * n], h))
