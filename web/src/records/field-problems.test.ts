import { AnnouncementWrite } from '@recado/contract/announcements'
import { TagWrite } from '@recado/contract/tags'
import { UserWrite } from '@recado/contract/users'
import { describe, expect, it } from 'vitest'
import { findFieldProblems } from './field-problems.ts'

const user = { name: 'Ana', email: 'ana@desk.example', password: '', whatsappId: null, queueIds: [] }

describe('problems of form fields', () => {
  it('finds no problem in valid values', () => {
    expect(findFieldProblems(UserWrite, user)).toEqual({})
  })
  it('uses the form messages of the spec', () => {
    expect(findFieldProblems(UserWrite, { ...user, name: 'A', email: 'ana', password: '1234' })).toEqual({
      name: { kind: 'Too Short!', limit: 2, of: 'text' },
      email: { kind: 'Invalid email' },
      password: { kind: 'Too Short!', limit: 5, of: 'text' },
    })
    expect(findFieldProblems(UserWrite, { ...user, password: 'x'.repeat(129) })).toMatchObject({
      password: { kind: 'Too Long!', limit: 128 },
    })
  })
  it('reports an empty input as missing, regardless of its minimum length', () => {
    expect(findFieldProblems(AnnouncementWrite, { title: '', text: '  ' })).toEqual({
      title: { kind: 'Required' },
      text: { kind: 'Required' },
    })
    expect(findFieldProblems(TagWrite, { name: '' })).toEqual({ name: { kind: 'Required' } })
  })
})
