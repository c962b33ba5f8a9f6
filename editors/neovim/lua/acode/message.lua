local M = {}

---@param text string
---@param level integer
local function notify(text, level)
  vim.schedule(function()
    vim.notify('acode: ' .. text, level, { title = 'acode' })
  end)
end

---@param text string
function M.info(text)
  notify(text, vim.log.levels.INFO)
end

---@param text string
function M.warn(text)
  notify(text, vim.log.levels.WARN)
end

---@param text string
function M.error(text)
  notify(text, vim.log.levels.ERROR)
end

return M
