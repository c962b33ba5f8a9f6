package redact_test

// phrases are texts with passwords of several words and lines, and what looks
// like them.
var phrases = []struct{ text, want string }{
	{"password: correct horse battery staple", "password: ‹PASSWORD›"},
	{"user: bob\r\n  - password: correct horse battery staple\r\nhost: db", "user: bob\r\n  - password: ‹PASSWORD›\r\nhost: db"},
	{"password: correct horse battery staple # for the db", "password: ‹PASSWORD› # for the db"},
	{"password: Correct Horse Battery Staple", "password: ‹PASSWORD›"},
	{"password: correct h0rse! battery", "password: ‹PASSWORD›"},
	{"password: hunter2 horse9", "password: ‹PASSWORD›"},
	{"password: hunter2 rolls", "password: ‹PASSWORD› rolls"},
	{"password: hunter2 # for the db", "password: ‹PASSWORD› # for the db"},
	{"db.password=correct horse battery staple", "db.password=‹PASSWORD›"},
	{"[db]\npassword = correct horse battery staple\n", "[db]\npassword = ‹PASSWORD›\n"},
	{"password: natasha1", "password: ‹PASSWORD›"},
	{"password: Base64A1x", "password: ‹PASSWORD›"},
	{"password=base64Text", "password=‹PASSWORD›"},

	{"password: |\n  open sesame\n  b\nuser: bob\n", "password: |\n  ‹PASSWORD›\n  ‹PASSWORD›\nuser: bob\n"},
	{"  password: >-\r\n    open\r\n\r\n    sesame\r\n  user: |\r\n    x", "  password: >-\r\n    ‹PASSWORD›\r\n\r\n    ‹PASSWORD›\r\n  user: |\r\n    x"},
	{"- password: |2+ # two\n    open\n  user: bob", "- password: |2+ # two\n    ‹PASSWORD›\n  user: bob"},
	{"secret: |\n  abc\n", "secret: |\n  ‹SECRET›\n"},
	{"key_password: |\n  -----BEGIN PRIVATE KEY-----\n  MIIEvgIBADANBgkq\n  -----END PRIVATE KEY-----\n", "key_password: |\n  ‹PRIVATE_KEY›\n******************\n***************************\n"},
	{"password: |\n  The password of the user.\n", "password: |\n  The password of the user.\n"},
	{"password: |\n  ${PASSWORD}\n", "password: |\n  ${PASSWORD}\n"},
	{"password: |\nopen\n", "password: |\nopen\n"},
	{"password: | x\n  open\n", "password: | x\n  open\n"},
	{"see password: |\n  open\n", "see password: |\n  open\n"},
	{"password_file: |\n  open\n", "password_file: |\n  open\n"},

	{`std::string password("letmein");`, `std::string password("‹PASSWORD›");`},
	{`const char *db_password("letmein");`, `const char *db_password("‹PASSWORD›");`},
	{`auto password{"letmein"};`, `auto password{"‹PASSWORD›"};`},
	{`: user{"bob"}, password{"letmein"} {`, `: user{"bob"}, password{"‹PASSWORD›"} {`},
}
