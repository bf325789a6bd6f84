import { expect, test } from 'vitest'
import { HTTP_DEFAULTS, httpSettings } from '../../../server/http/request/http-settings.ts'

const GIBIBYTE = 2 ** 30

test('the largest body that may be set has room, and another beside it', () => {
  expect(httpSettings(GIBIBYTE)).toMatchObject({ bodyBytesMax: GIBIBYTE, bodiesBytesMax: 2 * GIBIBYTE })
  expect(httpSettings(HTTP_DEFAULTS.bodyBytesMax)).toEqual(HTTP_DEFAULTS)
})
