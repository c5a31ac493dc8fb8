import { fillCampaignText } from '@recado/contract/campaigns/texts'
import { findLine } from '../../directory/connections/find-line.ts'
import { normalizePhoneNumber, phoneKey } from '../../directory/contacts/identity.ts'
import { findOrCreateContacts } from '../../directory/contacts/import-contacts.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { sendWithoutTicket } from '../messages/send-without-ticket.ts'
import { campaignTexts, confirmationTexts } from './prepare.ts'
import { composeCampaignMessages, loadCampaignFiles } from './send.ts'
import { loadCampaignSettings } from './settings.ts'
import { campaigns } from './view.ts'

/** Sends each text to one's own number over the campaign's line. The test messages are not counted in the campaign. */
export async function sendCampaignTest(scope: Scope, id: number, typed: string): Promise<{ sent: number }> {
  const campaign = await campaigns.findRow(scope, id)
  if (campaign.whatsappId === null) throw new AppError('ERR_CAMPAIGN_NO_LINE')
  const line = await findLine(scope, campaign.whatsappId)
  const number = normalizePhoneNumber(typed)
  const key = phoneKey(number)
  if (!key) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
  const { name } = scope.actor
  const contactId = (await findOrCreateContacts(scope, [{ name, number, email: '', key, contactId: null }])).get(key)
  if (contactId === undefined) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
  const settings = await loadCampaignSettings(scope)
  const person = { name, number, email: '' }
  const words = { nome: name, numero: number, email: '' }
  const filled = (text: string) => fillCampaignText(text, settings.variables, words)
  const texts = campaignTexts(campaign).map(({ text }) => filled(text))
  const files = await loadCampaignFiles(scope, campaign)
  const asked = campaign.confirmation ? confirmationTexts(campaign).map((text) => ({ body: filled(text) })) : []
  const contents = [...asked]
  for (const body of texts.length ? texts : [''])
    contents.push(...(await composeCampaignMessages(scope, campaign, settings, { ...person, body }, files)))
  if (!contents.length) throw new AppError('ERR_CAMPAIGN_NO_MESSAGE')
  const place = { contactId, whatsappId: line.id }
  return {
    sent: (
      await sendWithoutTicket(
        scope,
        place,
        contents.map((one) => ({ ...one, bot: 'campaign' })),
      )
    ).length,
  }
}
