-- Measures what the plugin costs Neovim: the time in its own functions while a
-- file is opened, and that of scrolling a screen with and without marks.

local view, client = require('acode.view'), require('acode.client')
local clock = vim.uv.hrtime
local spent = 0

---@param f function
local function timed(f)
  return function(...)
    local started = clock()
    local results = { f(...) }
    spent = spent + clock() - started
    return unpack(results)
  end
end

---@param values number[]
local function median(values)
  table.sort(values)
  return values[math.ceil(#values / 2)]
end

local M = {}
_G.bench = M

function M.prepare()
  client.attach = timed(client.attach)
  local server = assert(client.get())
  local request = server.request
  server.request = function(self, method, params, handler, bufnr)
    if method ~= 'acode/view' then
      return request(self, method, params, handler, bufnr)
    end
    return timed(request)(self, method, params, timed(handler), bufnr)
  end
end

---Opens a file again and again.
---@param name string
---@param times integer
---@return { ms: number }
function M.open(name, times)
  local all = {}
  for i = 1, times do
    vim.cmd.enew()
    pcall(vim.cmd.bwipeout, vim.fn.bufnr(name))
    spent = 0
    vim.cmd.edit(name)
    local bufnr = vim.api.nvim_get_current_buf()
    assert(vim.wait(10000, function()
      return #view.unread(bufnr) > 0
    end, 1))
    all[i] = spent / 1e6
  end
  return { ms = median(all) }
end

---Scrolls through the file, a screen at a time.
---@param screens integer
---@return { marked: number, hidden: number }
function M.scroll(screens)
  local function once()
    local all = {}
    vim.cmd.normal({ 'gg', bang = true })
    vim.cmd.redraw()
    for i = 1, screens do
      local started = clock()
      vim.cmd.normal({ vim.keycode('<C-f>'), bang = true })
      vim.cmd.redraw()
      all[i] = (clock() - started) / 1e6
    end
    return median(all)
  end
  local marked = once()
  view.toggle(false)
  local hidden = once()
  view.toggle(true)
  return { marked = marked, hidden = hidden }
end
