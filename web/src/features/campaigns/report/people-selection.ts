import type { CampaignPeopleGroup } from '@recado/contract/campaigns/campaigns'

/** The group of people to show. */
export type PeopleSelection = { group: CampaignPeopleGroup; reason?: string }
