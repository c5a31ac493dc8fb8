import { Button } from '@mantine/core'
import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { IconHandStop } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { dayTime } from '../lib/format.ts'
import { useSession } from '../lib/session.tsx'
import { defineTexts, useTexts } from '../lib/texts.ts'
import { toast } from '../lib/toast.ts'
import classes from './campaign-stop.module.css'

const texts = defineTexts({
  es: {
    stopped: 'Pidió no recibir campañas',
    wrote: (word: string, when: string) => `Escribió “${word}” el ${when}`,
    noted: (who: string, when: string) => `Lo anotó ${who} el ${when}`,
    somebody: 'alguien del equipo',
    on: (line: string) => `en ${line}`,
    of: (campaign: string) => `a ${campaign}`,
    undo: 'Volver a enviarle',
    undone: 'Volverá a recibir campañas',
    note: 'Anotar que no quiere campañas',
    done: 'No recibirá más campañas',
  },
  pt: {
    stopped: 'Pediu para não receber campanhas',
    wrote: (word, when) => `Escreveu “${word}” em ${when}`,
    noted: (who, when) => `Anotado por ${who} em ${when}`,
    somebody: 'alguém da equipe',
    on: (line) => `em ${line}`,
    of: (campaign) => `a ${campaign}`,
    undo: 'Voltar a enviar',
    undone: 'Voltará a receber campanhas',
    note: 'Anotar que não quer campanhas',
    done: 'Não receberá mais campanhas',
  },
  en: {
    stopped: 'Opted out of campaigns',
    wrote: (word, when) => `Wrote “${word}” on ${when}`,
    noted: (who, when) => `Noted by ${who} on ${when}`,
    somebody: 'somebody on the team',
    on: (line) => `on ${line}`,
    of: (campaign) => `to ${campaign}`,
    undo: 'Send to them again',
    undone: 'Will get campaigns again',
    note: 'Note that they want no campaigns',
    done: 'Will get no more campaigns',
  },
})

/** Whether a contact said stop, when and where, and the way back. `offers`: it can be noted by hand too. */
export function CampaignStop({ contactId, offers = false }: { contactId: number; offers?: boolean }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const bought = useSession().plan?.useCampaigns === true
  const [busy, setBusy] = useState(false)
  const key = ['campaign-stop', contactId]
  const found = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(campaignStopsApi.list, { query: { contactId } }, { signal }),
    enabled: bought,
    retry: false,
  })
  if (!found.data) return null
  const [stop] = found.data.stops
  const change = async () => {
    setBusy(true)
    try {
      await call(stop ? campaignStopsApi.remove : campaignStopsApi.create, { body: { contactId } })
      toast.ok(stop ? words.undone : words.done)
      await client.invalidateQueries({ queryKey: key })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  if (!stop)
    return (
      offers && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconHandStop size={15} stroke={2} />}
          loading={busy}
          onClick={() => void change()}
        >
          {words.note}
        </Button>
      )
    )
  const when = dayTime(stop.at)
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
      <Button size="xs" variant="default" loading={busy} onClick={() => void change()}>
        {words.undo}
      </Button>
    </div>
  )
}
