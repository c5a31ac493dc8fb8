import type { Company } from '@recado/contract/companies'
import { describe, expect, it } from 'vitest'
import { addMonths, countDaysUntilDue, dueTone, formatDueDay, getDueDay, nextDueDay } from './due-date.ts'

const company = (
  dueDate: string | null,
  timezone = 'America/Sao_Paulo',
  recurrence: Company['recurrence'] = 'MENSAL',
) => ({ dueDate, recurrence, settings: [{ key: 'timezone', value: timezone }] }) as unknown as Company

describe('the due day of a company', () => {
  it("is a day in the company's own zone", () => {
    // The last second of 31 January in São Paulo is 1 February in UTC.
    expect(getDueDay(company('2027-02-01T02:59:59.000Z'))).toBe('2027-01-31')
    expect(getDueDay(company(null))).toBeNull()
  })
  it('is counted in whole days', () => {
    const noon = new Date('2027-01-26T15:00:00Z')
    expect(countDaysUntilDue(company('2027-02-01T02:59:59.000Z'), noon)).toBe(5)
    expect(countDaysUntilDue(company('2027-01-27T02:59:59.000Z'), noon)).toBe(0)
    expect(countDaysUntilDue(company('2027-01-23T02:59:59.000Z'), noon)).toBe(-4)
  })
  it('is shown in the colours of the spec', () => {
    expect([6, 5, 4, 0, -3, -4, -40].map(dueTone)).toEqual([
      undefined,
      'notice',
      'warn',
      'warn',
      'warn',
      'danger',
      'danger',
    ])
    expect(dueTone(null)).toBeUndefined()
  })
  it('moves forward by the recurrence', () => {
    expect(nextDueDay(company('2027-02-01T02:59:59.000Z'))).toBe('2027-02-28')
    expect(nextDueDay(company('2027-02-01T02:59:59.000Z', 'America/Sao_Paulo', 'ANUAL'))).toBe('2028-01-31')
    expect(addMonths('2027-11-30', 3)).toBe('2028-02-29')
    expect(formatDueDay('2028-02-29')).toBe('29/02/2028')
  })
})
