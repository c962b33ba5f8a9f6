-- What the end-to-end test runs inside Neovim beside plain API calls. It plays
-- the agent, which asks through Neovim's own connection to the server, and it
-- listens; it changes nothing of how Neovim behaves.

local M = { changed = {}, refreshed = 0, messages = {} }
_G.e2e = M

local ours = require('acode.client').handlers

---The files whose state changed, as the server tells it.
local state_changed = ours['acode/stateChanged']
ours['acode/stateChanged'] = function(err, params, ctx)
  vim.list_extend(M.changed, params.uris)
  return state_changed(err, params, ctx)
end

local refresh = vim.lsp.handlers['workspace/diagnostic/refresh']
vim.lsp.handlers['workspace/diagnostic/refresh'] = function(...)
  M.refreshed = M.refreshed + 1
  return refresh(...)
end

local message = vim.lsp.handlers['window/showMessage']
vim.lsp.handlers['window/showMessage'] = function(err, params, ctx)
  table.insert(M.messages, params.message)
  return message(err, params, ctx)
end

---What the person was asked, who takes what `answer_with` says, else the last.
M.asked = {}
vim.ui.select = function(items, opts, on_choice)
  table.insert(M.asked, opts.prompt)
  if M.before_answer then
    M.before_answer()
  end
  on_choice(vim.list_contains(items, M.answer_with) and M.answer_with or items[#items])
end

---@return vim.lsp.Client?
function M.client()
  return vim.lsp.get_clients({ name = 'acode_ls' })[1]
end

---Sends a request and waits for the answer. Neovim first sends what it has not
---yet told of `bufnr`, as it does for every request about a buffer.
---@param method string
---@param params table
---@param bufnr integer
function M.request(method, params, bufnr)
  local started = vim.uv.hrtime()
  local answer, why = assert(M.client(), 'no server'):request_sync(method, params, 20000, bufnr)
  if not answer then
    error(method .. ': ' .. why)
  end
  return {
    result = answer.result,
    error = answer.err and answer.err.message,
    ms = (vim.uv.hrtime() - started) / 1e6,
  }
end

---The text of a buffer as Neovim would write it.
---@param bufnr integer
function M.text(bufnr)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), '\n') .. (vim.bo[bufnr].eol and '\n' or '')
end

---Diagnostics of a buffer, with 1-based lines.
---@param bufnr integer
function M.diagnostics(bufnr)
  return vim.tbl_map(function(d)
    return {
      startLine = d.lnum + 1,
      endLine = d.end_lnum + 1,
      startByte = d.col,
      endByte = d.end_col,
      code = d.code,
      message = d.message,
      severity = vim.diagnostic.severity[d.severity],
      source = d.source,
      unnecessary = d._tags ~= nil and d._tags.unnecessary or false,
    }
  end, vim.diagnostic.get(bufnr))
end

local apply = ours['workspace/applyEdit']
local around_next ---@type function?
ours['workspace/applyEdit'] = function(...)
  local around, args = around_next, { ... }
  around_next = nil
  if not around then
    return apply(...)
  end
  return around(function()
    M.answer = apply(unpack(args))
    return M.answer
  end)
end

---Has `around` handle the next edit the server asks for. It is given what
---Neovim would do, and returns the answer.
---@param around fun(apply: fun(): table): table
function M.around_apply(around)
  around_next = around
end

---What a highlight group marks in a buffer, as 1-based lines.
---@param bufnr integer
---@param group string
function M.marks(bufnr, group)
  local ns = vim.api.nvim_get_namespaces()['acode.view']
  local out = {}
  for _, mark in ipairs(ns and vim.api.nvim_buf_get_extmarks(bufnr, ns, 0, -1, { details = true }) or {}) do
    local details = mark[4]
    if details.hl_group == group or details.sign_hl_group == group then
      table.insert(out, {
        startLine = mark[2] + 1,
        endLine = details.end_row + 1,
        text = details.virt_text and details.virt_text[1][1] or '',
      })
    end
  end
  return out
end
