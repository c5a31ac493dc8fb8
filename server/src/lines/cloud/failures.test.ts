import { cloudFailures } from '@recado/contract/cloud'
import { expect, it } from 'vitest'
import { formatFailureReason, toCloudFailure } from './failures.ts'

/** The codes of Meta's published list of errors. */
const publishedCodes = [
  ...[0, 1, 2, 3, 4, 10, 33, 100, 190, 200, 299, 368, 80007, 130429, 130472, 130497],
  ...[131000, 131005, 131008, 131009, 131016, 131021, 131026, 131030, 131031, 131037, 131042, 131045, 131047],
  ...[131048, 131049, 131050, 131051, 131052, 131053, 131055, 131056, 131057, 131060, 131062],
  ...[132000, 132001, 132005, 132007, 132012, 132015, 132016, 132068, 132069],
  ...[133000, 133004, 133005, 133006, 133008, 133009, 133010, 133015, 133016, 134011, 134100, 134101, 134102],
  ...[135000, 138000, 138001, 138006, 138012, 139000, 139103, 1752041, 2388019, 2388040, 2388047, 2388072],
  ...[2388073, 2388293, 2388299, 2494100, 2593107, 2593108],
]

it('has words for every code that Meta publishes', () => {
  expect(publishedCodes.filter((code) => toCloudFailure(code) === 'meta-error')).toEqual([])
  expect(publishedCodes.every((code) => cloudFailures.includes(toCloudFailure(code)))).toBe(true)
  expect(toCloudFailure(131062)).toBe('needs-number')
})

it('keeps the number of an unknown code', () => {
  expect(formatFailureReason({ code: 987654, title: 'New', details: '' })).toBe('meta-error:987654')
})
