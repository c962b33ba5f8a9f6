---@meta
error('This file holds annotations and is not to be required')

-- Rows are (0,0)-indexed as in nvim_buf_get_lines; what is called "line" or
-- comes from the server is (1,0)-indexed and includes both ends.

---@class (exact) acode.Opts What may be set in vim.g.acode; acode.Config says what holds where it is not.
---@field cmd? string[]
---@field unread? acode.UnreadOpts|false
---@field changed? acode.MarkOpts|false
---@field read? acode.MarkOpts|false
---@field code_lens? boolean
---@field notify_refused? boolean
---@field confirm? boolean
---@field flash_ms? integer
---@field picker? acode.Picker
---@field restart? boolean

---@class (exact) acode.UnreadOpts
---@field dim? boolean
---@field sign? string
---@field virtual_text? boolean

---@class (exact) acode.MarkOpts
---@field sign? string

---@alias acode.Picker 'auto'|'select'|'snacks'|'telescope'

---@class (exact) acode.Config
---@field cmd string[] the server and its arguments
---@field unread acode.Unread|false how lines that the agent has not read are shown
---@field changed acode.Mark|false how lines that changed since it read them are shown
---@field read acode.Mark|false how lines that it has read are shown
---@field code_lens boolean whether code lenses are switched on in the buffers of the server
---@field notify_refused boolean whether a refused edit is told of
---@field confirm boolean whether an edit over unsaved changes the agent has not seen asks first
---@field flash_ms integer how long lines that an agent edited are highlighted; 0 for not at all
---@field picker acode.Picker
---@field restart boolean whether a server that crashed is started again

---@class (exact) acode.Unread
---@field dim boolean
---@field sign string one or two cells, '' for none
---@field virtual_text boolean says at the first line what the range declares

---@class (exact) acode.Mark
---@field sign string one or two cells, '' for none

---@class (exact) acode.LineRange
---@field startLine integer
---@field endLine integer

---@class (exact) acode.UnreadRange: acode.LineRange
---@field declares string

---@class (exact) acode.View The answer of acode/view.
---@field session string
---@field agent string
---@field version integer
---@field state string
---@field stale boolean
---@field coverage number
---@field totalLines integer
---@field rounds integer
---@field readRanges acode.LineRange[]
---@field changedRanges acode.LineRange[]
---@field redactedRanges acode.LineRange[]
---@field unread acode.UnreadRange[]

---@class (exact) acode.Range A run of lines of one kind in a buffer, which follows the edits of it.
---@field kind 'unread'|'changed'|'read'
---@field first integer row
---@field last integer row, included
---@field declares string
---@field marks? { sign: integer, dim?: integer } extmarks, once a window has shown the range
---@field marked_first? integer row from which the extmarks reach
---@field marked_last? integer row, included

---@class (exact) acode.Session
---@field id string
---@field agent string
---@field active boolean
---@field files integer
---@field lastUsed string
---@field selected? boolean
---@field ended? boolean

---@class (exact) acode.Artifact
---@field id string
---@field size integer bytes
---@field type string
---@field source string
---@field summary string
---@field created string
---@field uri string

---@class (exact) acode.Block
---@field uri string
---@field reason string
---@field unreadRanges acode.LineRange[]
---@field message string
