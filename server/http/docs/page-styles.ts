import { CARD_STYLE } from '../pages/card-style.ts'
import { PAGE_STYLE } from './page-style.ts'

/** Every style that a page of the server may have: the policy of pages names these and no other. */
export const PAGE_STYLES: readonly string[] = [PAGE_STYLE, CARD_STYLE]
