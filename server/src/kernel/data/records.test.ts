import { helpsApi } from '@recado/contract/helps'
import { tagsApi } from '@recado/contract/tags'
import { expect, it } from 'vitest'
import { crudRoutes } from '../http/routes.ts'
import { makeRecords } from './records.ts'

it('does not compile if a table is combined with a topic of other rows', () => {
  const helps = makeRecords('helps', helpsApi, { platform: true })
  // @ts-expect-error a tag has no title, so a function must turn it into a help video
  expect(makeRecords('tags', helpsApi)).toBeTypeOf('object')
  // @ts-expect-error events of tags do not contain help videos
  expect(crudRoutes(tagsApi, helps)).toHaveLength(5)
})
