import { relatedTermsFile } from '../../bin/related-terms/related-terms-file.mjs'

/** Before any test: what the program reads of its own when it runs from source is there and is not an old one. */
export async function setup() {
  await relatedTermsFile()
}
