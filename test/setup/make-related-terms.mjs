import { relatedTermsFile } from '../../bin/related-terms/related-terms-file.mjs'

/**
 * Runs before all tests: builds the related terms that the program reads when it runs from source, if they are missing
 * or old.
 */
export async function setup() {
  await relatedTermsFile()
}
