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

--- Does what may not be possible in the current window, as where 'winfixbuf' is
--- set, and tells why if it is not.
---@param f function
---@param ... any
---@return boolean done
function M.try(f, ...)
  local ok, problem = pcall(f, ...)
  if not ok then
    M.error(tostring(problem):match('E%d+:.*') or tostring(problem))
  end
  return ok
end

--- Tells what nobody asked for. Its text is cut to what the command line holds,
--- as Neovim would else wait for Enter, take what the person types for the
--- answer, and let the agent wait as well.
---@param level integer
---@param ... string the same in less and less cells; the first that fits is taken
function M.news(level, ...)
  local texts = { ... }
  vim.schedule(function()
    local room = vim.v.echospace - vim.fn.strdisplaywidth('acode: ')
    for _, text in ipairs(texts) do
      if vim.fn.strdisplaywidth(text) <= room then
        notify(text, level)
        return
      end
    end
    notify(vim.fn.strcharpart(texts[#texts], 0, math.max(room - 1, 0)) .. '…', level)
  end)
end

return M
