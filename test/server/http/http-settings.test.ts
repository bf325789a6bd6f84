import { expect, test } from 'vitest'
import { HTTP_DEFAULTS, httpSettings } from '../../../server/http/request/http-settings.ts'

const GIBIBYTE = 2 ** 30

test('leaves memory for a second body beside the largest one that can be configured', () => {
  expect(httpSettings(GIBIBYTE)).toMatchObject({ bodyBytesMax: GIBIBYTE, bodiesBytesMax: 2 * GIBIBYTE })
  expect(httpSettings(HTTP_DEFAULTS.bodyBytesMax)).toEqual(HTTP_DEFAULTS)
})
