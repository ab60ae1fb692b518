"""The class report: one HTML file that opens without a network.

`page.page` is the entry; `page.written` puts other pages together from the same parts, such as the matrix of
`grading/across/`. What students wrote goes through `clean.visible`, then through Jinja's autoescape or into
JSON data, and is shown as text in the browser, never as markup. `templates/` holds the page, `static/` its
style and its scripts; the page allows those by hash and nothing else.
"""
