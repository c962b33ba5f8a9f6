local M = {}

---@type acode.Config
local defaults = {
  cmd = { 'acode-ls', 'serve' },
  unread = { dim = true, sign = '┊', virtual_text = true },
  changed = { sign = '~' },
  read = false,
  code_lens = false,
  notify_refused = true,
  confirm = true,
  flash_ms = 600,
  picker = 'auto',
  restart = true,
}

---@type table<string, true>
local pickers = { auto = true, select = true, snacks = true, telescope = true }

---@param sign string
---@return boolean
local function is_sign(sign)
  return vim.fn.strdisplaywidth(sign) <= 2
end

---@param name string
---@param value any
---@param default any
---@return string? problem
local function problem_of(name, value, default)
  local kind = type(default)
  if name == 'read' then
    kind = 'table'
  end
  if kind == 'table' and value == false and name ~= 'cmd' then
    return nil
  end
  if type(value) ~= kind then
    return ('%s must be a %s, not %s'):format(name, kind, vim.inspect(value))
  elseif name == 'cmd' and (#value == 0 or type(value[1]) ~= 'string') then
    return "cmd must be a list such as { 'acode-ls', 'serve' }"
  elseif name == 'picker' and not pickers[value] then
    return ('picker must be auto, select, snacks or telescope, not %q'):format(value)
  elseif name == 'flash_ms' and value < 0 then
    return 'flash_ms must not be negative'
  elseif name:match('%.sign$') and not is_sign(value) then
    return ('%s must take at most two cells, and %q takes more'):format(name, value)
  end
end

---@param opts acode.Opts|any
---@return acode.Config, string[] problems
function M.resolve(opts)
  local config, problems = vim.deepcopy(defaults), {}
  if type(opts) ~= 'table' then
    return config, { 'vim.g.acode must be a table' }
  end
  ---@param into table
  ---@param given table
  ---@param known table
  ---@param prefix string
  local function lay(into, given, known, prefix)
    for key, value in pairs(given) do
      local name = prefix .. key
      local default = known[key]
      if key == 'read' and prefix == '' then
        default = { sign = '' }
      end
      if default == nil then
        problems[#problems + 1] = ('%s is no setting; known are %s'):format(
          name,
          table.concat(vim.fn.sort(vim.tbl_keys(known)), ', ')
        )
      else
        local problem = problem_of(name, value, default)
        if problem then
          problems[#problems + 1] = problem
        elseif type(value) == 'table' and not vim.islist(default) then
          into[key] = vim.deepcopy(default)
          lay(into[key], value, default, name .. '.')
        else
          into[key] = value
        end
      end
    end
  end
  lay(config, opts, defaults, '')
  table.sort(problems)
  return config, problems
end

---@type any
local given
---@type acode.Config
local resolved

--- The configuration. Mistakes in it are told once; what is right of it holds.
---@return acode.Config
function M.get()
  local opts = vim.g.acode or {}
  if not resolved or not vim.deep_equal(opts, given) then
    local problems
    given = opts
    resolved, problems = M.resolve(opts)
    if #problems > 0 then
      require('acode.message').news(
        vim.log.levels.WARN,
        'vim.g.acode: ' .. table.concat(problems, '; '),
        'vim.g.acode has mistakes (:checkhealth acode)'
      )
    end
  end
  return resolved
end

return M
