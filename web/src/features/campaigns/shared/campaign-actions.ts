import { type Campaign, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { callApi } from '../../../lib/api.ts'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { campaignScreenTexts } from './texts.ts'

type NamedCampaign = Pick<Campaign, 'id' | 'name'>

export const canCancelCampaign = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'EM_ANDAMENTO' || status === 'PROGRAMADA'
export const canRestartCampaign = ({ status, held }: Pick<Campaign, 'status' | 'held'>): boolean =>
  status === 'CANCELADA' || (status === 'EM_ANDAMENTO' && held !== null)

/** Asks for confirmation. Returns the updated campaign; null when cancelled. */
export async function cancelCampaign({ id, name }: NamedCampaign): Promise<Campaign | null> {
  const words = currentTexts(campaignScreenTexts)
  const question = { title: words.cancelAsk(name), consequence: words.cancelLine, verb: words.cancel }
  if (!(await openConfirm(question))) return null
  return runWithToast(callApi(campaignsApi.cancel, { params: { id } }), words.cancelled, name)
}

export const restartCampaign = ({ id, name }: NamedCampaign): Promise<Campaign | null> =>
  runWithToast(callApi(campaignsApi.restart, { params: { id } }), currentTexts(campaignScreenTexts).restarted, name)

async function runWithToast(action: Promise<Campaign>, title: string, line: string): Promise<Campaign | null> {
  try {
    const done = await action
    toast.ok(title, line)
    return done
  } catch (error) {
    toast.error(error)
    return null
  }
}
