import type { CampaignPeopleGroup } from '@recado/contract/campaigns/campaigns'

/** Whose people are shown. */
export type PeopleSelection = { group: CampaignPeopleGroup; reason?: string }
