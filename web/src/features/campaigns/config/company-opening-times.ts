import type { Holiday, Hours } from '@recado/contract/hours/hours'

/** When the company is there, by its own clocks. */
export type CompanyOpeningTimes = { week: Hours[]; holidays: Holiday[]; zone: string }
