import type { PeopleGroup } from '@recado/contract/campaigns/campaigns'

/** Whose people are shown. */
export type Behind = { group: PeopleGroup; reason?: string }
