local M = {}

local health = vim.health or require('health') -- as it was before Neovim 0.8

---@param cmd string[]
---@return vim.SystemCompleted?
local function run(cmd)
  local ok, process = pcall(vim.system, cmd, { text = true, timeout = 10000 })
  return ok and process:wait() or nil
end

---@param exe string
local function check_binary(exe)
  local path = vim.fn.exepath(exe)
  if path == '' then
    health.error(('%s is not %s'):format(exe, exe:find('/', 1, true) and 'there' or 'on the PATH'), {
      'go install github.com/acode-ls/acode-ls/cmd/acode-ls@latest',
      "or name it: vim.g.acode = { cmd = { '/path/to/acode-ls', 'serve' } }",
    })
    return
  end
  local version = run({ path, 'version' })
  if not version or version.code ~= 0 then
    health.error(('%s does not run: %s'):format(path, version and vim.trim(version.stderr) or 'it gave no answer'), {
      'build it for this machine: go install github.com/acode-ls/acode-ls/cmd/acode-ls@latest',
    })
    return
  end
  health.ok(('%s, %s'):format(path, vim.trim(version.stdout):match('^[^\n]*')))

  local root = vim.fs.root(0, require('acode.client').markers)
  local doctor = run({ path, '--json', '--root', root or vim.fn.getcwd(), 'doctor' })
  local ok, envelope = pcall(vim.json.decode, doctor and doctor.stdout or '')
  if not ok or type(envelope.data) ~= 'table' then
    health.warn('acode-ls doctor gave no answer', { 'run it in a terminal: acode-ls doctor' })
    return
  end
  for _, row in ipairs(envelope.data) do
    if row.ok then
      health.ok(('%s: %s'):format(row.check, row.detail))
    else
      health.warn(('%s: %s'):format(row.check, row.detail), row.mend ~= '' and { row.mend } or nil)
    end
  end
end

local function check_clients()
  local client = require('acode.client')
  if not vim.lsp.is_enabled(client.name) then
    health.warn('the server is not enabled', { "vim.lsp.enable('acode_ls') in init.lua" })
    return
  end
  local clients = vim.lsp.get_clients({ name = client.name })
  if #clients == 0 then
    health.info('no server is running; one starts with the first file below a folder with .git or .acode')
  end
  for _, server in ipairs(clients) do
    local mismatch = client.mismatch(server)
    if mismatch then
      health.error(mismatch)
    else
      health.ok(
        ('the server runs in %s and has %d buffers'):format(
          vim.fn.fnamemodify(server.root_dir or '', ':~'),
          vim.tbl_count(server.attached_buffers)
        )
      )
    end
  end
end

function M.check()
  if vim.fn.has('nvim-0.12') == 0 then
    local report_error = health.error or health.report_error
    report_error('Neovim 0.12 or later is needed', { 'https://github.com/neovim/neovim/releases' })
    return
  end
  health.start('acode: Neovim')
  health.ok('Neovim ' .. tostring(vim.version()))
  local config, problems = require('acode.config').resolve(vim.g.acode or {})
  for _, problem in ipairs(problems) do
    health.error('vim.g.acode: ' .. problem, { ':help acode-config' })
  end
  if #problems == 0 then
    health.ok('vim.g.acode is right')
  end
  if config.picker == 'snacks' or config.picker == 'telescope' then
    if not pcall(require, config.picker) then
      health.warn(('the picker %s is not installed'):format(config.picker), { "picker = 'select'" })
    end
  end

  health.start('acode: acode-ls')
  check_binary(require('acode.client').cmd()[1])

  health.start('acode: server')
  check_clients()
end

return M
