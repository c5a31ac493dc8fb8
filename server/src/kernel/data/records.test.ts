import { helpsApi } from '@recado/contract/helps'
import { tagsApi } from '@recado/contract/tags'
import { expect, it } from 'vitest'
import { crudRoutes } from '../http/routes.ts'
import { makeRecords } from './records.ts'

it('does not compile a table with a topic of other rows', () => {
  const helps = makeRecords('helps', helpsApi, { platform: true })
  // @ts-expect-error a tag has no title, so something must make a help video of it
  expect(makeRecords('tags', helpsApi)).toBeTypeOf('object')
  // @ts-expect-error what is told of tags is no help video
  expect(crudRoutes(tagsApi, helps)).toHaveLength(5)
})
