type Words = { overdue: string; duration: (value: number, unit: 'min' | 'h' | 'd') => string }

export function describeMinutes(value: number, { overdue, duration }: Words): string {
  if (value === 0) return overdue
  if (value % 1440 === 0) return duration(value / 1440, 'd')
  return value % 60 === 0 ? duration(value / 60, 'h') : duration(value, 'min')
}
