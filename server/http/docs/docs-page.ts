import { PAGE_STYLE } from './page-style.ts'

export function makeDocsPage(document: { openapi: string }): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>memctl</title><style>${PAGE_STYLE}</style></head><body>OpenAPI ${document.openapi}</body></html>`
}
