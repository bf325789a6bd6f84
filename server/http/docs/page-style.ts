/** The style of every page of the server: the policy of pages allows this one and no other. */
export const PAGE_STYLE = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem }
`
