import { helpsApi } from '@recado/contract/helps'
import { tagsApi } from '@recado/contract/tags'
import { expect, it } from 'vitest'
import { resource } from '../http/http.ts'
import { records } from './records.ts'

it('keeps a table and a topic of other rows apart: neither line compiles', () => {
  const helps = records('helps', helpsApi, { platform: true })
  // @ts-expect-error a tag has no title, so something must make a help video of it
  expect(records('tags', helpsApi)).toBeTypeOf('object')
  // @ts-expect-error what is told of tags is no help video
  expect(resource(tagsApi, helps)).toHaveLength(5)
})
