import { type Campaign, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { call } from '../../../lib/api.ts'
import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { frameTexts } from './texts.ts'

type Named = Pick<Campaign, 'id' | 'name'>

export const canCancel = ({ status }: Pick<Campaign, 'status'>): boolean =>
  status === 'EM_ANDAMENTO' || status === 'PROGRAMADA'
export const canRestart = ({ status, held }: Pick<Campaign, 'status' | 'held'>): boolean =>
  status === 'CANCELADA' || (status === 'EM_ANDAMENTO' && held !== null)

/** Asks first. The campaign as it is then; null where nothing was done. */
export async function cancelCampaign({ id, name }: Named): Promise<Campaign | null> {
  const words = textsNow(frameTexts)
  const question = { title: words.cancelAsk(name), consequence: words.cancelLine, verb: words.cancel }
  if (!(await openConfirm(question))) return null
  return told(call(campaignsApi.cancel, { params: { id } }), words.cancelled, name)
}

export const restartCampaign = ({ id, name }: Named): Promise<Campaign | null> =>
  told(call(campaignsApi.restart, { params: { id } }), textsNow(frameTexts).restarted, name)

async function told(deed: Promise<Campaign>, title: string, line: string): Promise<Campaign | null> {
  try {
    const done = await deed
    toast.ok(title, line)
    return done
  } catch (error) {
    toast.error(error)
    return null
  }
}
