import { plansApi } from '@recado/contract/plans'
import { makeRecords } from '../kernel/data/records.ts'

export const plans = makeRecords('plans', plansApi, {
  platform: true,
  conflicts: { plans_name_key: 'ERR_PLAN_NAME_ALREADY_EXISTS' },
  audience: () => ({ super: true }),
})
