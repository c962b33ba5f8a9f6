if vim.g.loaded_acode then
  return
end
vim.g.loaded_acode = true

if vim.fn.has('nvim-0.12') == 0 then
  vim.api.nvim_create_user_command('Acode', function()
    local v = vim.version()
    local this = ('%d.%d.%d'):format(v.major, v.minor, v.patch)
    vim.notify('acode: Neovim 0.12 or later is needed, and this is ' .. this, vim.log.levels.WARN)
  end, { nargs = '*', range = true, desc = 'acode' })
  return
end

vim.api.nvim_create_user_command('Acode', function(opts)
  require('acode.command').run(opts)
end, {
  nargs = '*',
  range = true,
  bar = true,
  complete = function(lead, line)
    return require('acode.command').complete(lead, line)
  end,
  desc = 'What an agent has and has not seen',
})

for name, direction in pairs({ ['<Plug>(acode-next-unread)'] = 1, ['<Plug>(acode-previous-unread)'] = -1 }) do
  vim.keymap.set({ 'n', 'x', 'o' }, name, function()
    require('acode').jump(direction, vim.v.count1)
  end, { desc = direction == 1 and 'Next range the agent has not read' or 'Previous range the agent has not read' })
end
vim.keymap.set('n', '<Plug>(acode-toggle)', function()
  require('acode').toggle()
end, { desc = 'Show or hide what the agent has not seen' })

local group = vim.api.nvim_create_augroup('acode', {})

local function highlight()
  for name, link in pairs({
    AcodeUnread = 'DiagnosticUnnecessary',
    AcodeUnreadSign = 'NonText',
    AcodeVirtualText = 'NonText',
    AcodeStale = 'DiagnosticWarn',
    AcodeRead = 'DiagnosticOk',
    AcodeFlash = 'DiffText',
  }) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end
highlight()
vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = highlight })

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(args)
    local client = vim.lsp.get_client_by_id(args.data.client_id)
    if client and client.name == 'acode_ls' then
      require('acode.client').attach(client, args.buf)
    end
  end,
})
vim.api.nvim_create_autocmd('LspDetach', {
  group = group,
  callback = function(args)
    local client = vim.lsp.get_client_by_id(args.data.client_id)
    if client and client.name == 'acode_ls' then
      require('acode.view').detach(args.buf)
    end
  end,
})
vim.api.nvim_create_autocmd('BufWinEnter', {
  group = group,
  callback = function(args)
    local view = package.loaded['acode.view']
    if view then
      view.entered(args.buf)
    end
  end,
})
-- Neovim tells servers of a new name once the buffer is written.
vim.api.nvim_create_autocmd('BufWritePost', {
  group = group,
  callback = function(args)
    local view = package.loaded['acode.view']
    if view then
      vim.schedule(function()
        view.named(args.buf)
      end)
    end
  end,
})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'acode-artifact:/*',
  callback = function(args)
    require('acode.artifacts').read(args.buf, args.match)
  end,
})
