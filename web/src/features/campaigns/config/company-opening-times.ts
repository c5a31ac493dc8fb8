import type { Holiday, Hours } from '@recado/contract/hours/hours'

/** The company's opening hours in its own time zone. */
export type CompanyOpeningTimes = { week: Hours[]; holidays: Holiday[]; zone: string }
