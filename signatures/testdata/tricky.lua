#!/usr/bin/env lua
-- function no() end
--[[ function no() end
function no() end ]]
--[==[ ]] function no() end
]==]
local M = {} --= local M
local a, b <const> = 1, 2 --= local a, local b
local required = require("required")
local text = [[ --= local text
function no() end
]]
local quoted = "function no() end" --= local quoted

function M.plain(x) --= function M.plain()
  local function inner() end
  if x then return 1 elseif y then return 2 end
  M.inner = function() end
end

function M.sub:method() for i = 1, 2 do local q = 1 end end --= function M.sub:method()

local function hidden() --= function hidden()
  repeat local z until x
end

M.assigned = function() while true do end end --= function M.assigned()
local alias = function(a) return function() end end --= function alias()
M.handlers = { on = function() end, limit = 1 } --= function on()
if cond then
  function Global() end --= function Global()
  local nope = 1
end
print(x == function() end)
call(function() function inside() end end)
function M.last() end --= function M.last()
counter = 5
return M
