import { Button, Textarea } from '@mantine/core'
import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { IconCheck, IconHandStop } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../lib/api.ts'
import { useCan } from '../lib/can.tsx'
import { formatDayTime } from '../lib/format.ts'
import { useSession } from '../lib/session.tsx'
import { defineTexts, useTexts } from '../lib/texts.ts'
import { toast } from '../lib/toast.ts'
import classes from './campaign-stop-notice.module.css'

const texts = defineTexts({
  es: {
    stopped: 'Pidió no recibir campañas',
    wrote: (word: string, when: string) => `Escribió “${word}” el ${when}`,
    noted: (who: string, when: string) => `Lo anotó ${who} el ${when}`,
    somebody: 'alguien del equipo',
    on: (line: string) => `en ${line}`,
    of: (campaign: string) => `a ${campaign}`,
    undo: 'Volver a enviarle campañas',
    askTitle: '¿Con qué palabras lo aceptó?',
    askLine: 'Copia lo que escribió o dijo. Queda en el registro, con tu nombre y la fecha.',
    askHint: 'Sí, quiero recibir las ofertas otra vez',
    cancel: 'Cancelar',
    allowed: 'Volvió a aceptar campañas',
    allowedBy: (words: string, who: string, when: string) => `“${words}” · anotado por ${who} el ${when}`,
    undone: 'Volverá a recibir campañas',
    note: 'Marcar que no quiere campañas',
    done: 'No recibirá más campañas',
  },
  pt: {
    stopped: 'Pediu para não receber campanhas',
    wrote: (word, when) => `Escreveu “${word}” em ${when}`,
    noted: (who, when) => `Anotado por ${who} em ${when}`,
    somebody: 'alguém da equipe',
    on: (line) => `em ${line}`,
    of: (campaign) => `a ${campaign}`,
    undo: 'Voltar a enviar campanhas',
    askTitle: 'Com que palavras aceitou?',
    askLine: 'Copie o que o cliente escreveu ou disse. Fica no registro, com o seu nome e a data.',
    askHint: 'Sim, quero receber as ofertas de novo',
    cancel: 'Cancelar',
    allowed: 'Voltou a aceitar campanhas',
    allowedBy: (words, who, when) => `“${words}” · anotado por ${who} em ${when}`,
    undone: 'Voltará a receber campanhas',
    note: 'Marcar que não quer campanhas',
    done: 'Não receberá mais campanhas',
  },
  en: {
    stopped: 'Opted out of campaigns',
    wrote: (word, when) => `Wrote “${word}” on ${when}`,
    noted: (who, when) => `Noted by ${who} on ${when}`,
    somebody: 'someone on the team',
    on: (line) => `on ${line}`,
    of: (campaign) => `to ${campaign}`,
    undo: 'Resume campaigns',
    askTitle: 'How did they agree to it?',
    askLine: "Copy what they wrote or said. It's kept in the audit log with your name and the date.",
    askHint: 'Yes, please send me the offers again',
    cancel: 'Cancel',
    allowed: 'Accepts campaigns again',
    allowedBy: (words, who, when) => `“${words}” · noted by ${who} on ${when}`,
    undone: "They'll get campaigns again",
    note: 'Mark as opted out of campaigns',
    done: "They won't get any more campaigns",
  },
})

/** The contact's opt-out with time and source, and its reversal. `canAdd`: the user can also record an opt-out. */
export function CampaignStopNotice({ contactId, canAdd = false }: { contactId: number; canAdd?: boolean }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const bought = useSession().plan?.useCampaigns === true
  const may = useCan()('campaign-stops:undo')
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const key = ['campaign-stop', contactId]
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(campaignStopsApi.list, { query: { contactId } }, { signal }),
    enabled: bought,
    retry: false,
  })
  if (!found.data) return null
  const { consent } = found.data
  const [stop] = found.data.stops
  const change = async (write: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await write()
      toast.ok(done)
      setAsking(false)
      await client.invalidateQueries({ queryKey: key })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const note = () => change(() => callApi(campaignStopsApi.create, { body: { contactId } }), words.done)
  const undo = (consentText: string) =>
    change(() => callApi(campaignStopsApi.remove, { body: { contactId, words: consentText } }), words.undone)
  if (!stop)
    return (
      <>
        {consent && (
          <div className={classes.consent}>
            <IconCheck size={17} stroke={1.75} aria-hidden="true" />
            <span>
              <strong>{words.allowed}</strong>
              <small>
                {words.allowedBy(consent.words, consent.user?.name ?? words.somebody, formatDayTime(consent.at))}
              </small>
            </span>
          </div>
        )}
        {canAdd && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconHandStop size={15} stroke={2} />}
            loading={busy}
            onClick={() => void note()}
          >
            {words.note}
          </Button>
        )}
      </>
    )
  const when = formatDayTime(stop.at)
  return (
    <div className={classes.root}>
      <IconHandStop size={17} stroke={1.75} aria-hidden="true" />
      <span>
        <strong>{words.stopped}</strong>
        <small>
          {[
            stop.word ? words.wrote(stop.word, when) : words.noted(stop.user?.name ?? words.somebody, when),
            stop.whatsapp && words.on(stop.whatsapp.name),
            stop.campaign && words.of(stop.campaign.name),
          ]
            .filter(Boolean)
            .join(' ')}
        </small>
      </span>
      {may && !asking && (
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          {words.undo}
        </Button>
      )}
      {asking && <ConsentForm isBusy={busy} onCancel={() => setAsking(false)} onSave={undo} />}
    </div>
  )
}

type ConsentProps = { isBusy: boolean; onCancel: () => void; onSave: (consentText: string) => Promise<void> }

/** To revert an opt-out, the user records how the customer gave consent. */
function ConsentForm({ isBusy: busy, onCancel, onSave }: ConsentProps) {
  const words = useTexts(texts)
  const [consentText, setConsentText] = useState('')
  return (
    <div className={classes.ask}>
      <Textarea
        label={words.askTitle}
        description={words.askLine}
        placeholder={words.askHint}
        required
        autosize
        minRows={2}
        maxRows={6}
        maxLength={500}
        autoFocus
        value={consentText}
        onChange={(event) => setConsentText(event.currentTarget.value)}
      />
      <div className={classes.foot}>
        <Button size="xs" variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button
          size="xs"
          disabled={consentText.trim().length < 3}
          loading={busy}
          onClick={() => void onSave(consentText.trim())}
        >
          {words.undo}
        </Button>
      </div>
    </div>
  )
}
