import { Button, Loader, Textarea } from '@mantine/core'
import { messagePricesApi, type PriceListState } from '@recado/contract/money/message-prices'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDay } from '../../lib/format.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { Chip } from '../../ui/chip.tsx'
import classes from './settings.module.css'

const texts = defineTexts({
  es: {
    name: 'Precios de Meta',
    line: 'Con estas listas se calcula lo que cuestan los mensajes de las líneas oficiales. Cada una vale desde su fecha. Lo ya calculado no cambia.',
    example: 'Lista de ejemplo',
    check: (day: string) =>
      `Es un ejemplo con precios del ${day}. Compárala con la lista que publica Meta y guárdala antes de fiarte de los costos.`,
    inForce: (day: string, currency: string) => `La más reciente vale desde el ${day}, en ${currency}.`,
    edit: 'Editar la lista',
    field: 'Listas de precios, en JSON',
    save: 'Guardar',
    cancel: 'Cancelar',
    reset: 'Volver al ejemplo',
    saved: 'Precios guardados',
    notJson: 'No es JSON: revisa comas, comillas y llaves',
  },
  pt: {
    name: 'Preços da Meta',
    line: 'Com estas listas se calcula quanto custam as mensagens das linhas oficiais. Cada uma vale a partir da sua data. O que já foi calculado não muda.',
    example: 'Lista de exemplo',
    check: (day) =>
      `É um exemplo com preços de ${day}. Compare com a lista que a Meta publica e salve antes de confiar nos custos.`,
    inForce: (day, currency) => `A mais recente vale desde ${day}, em ${currency}.`,
    edit: 'Editar a lista',
    field: 'Listas de preços, em JSON',
    save: 'Salvar',
    cancel: 'Cancelar',
    reset: 'Voltar ao exemplo',
    saved: 'Preços salvos',
    notJson: 'Não é JSON: confira vírgulas, aspas e chaves',
  },
  en: {
    name: 'Meta prices',
    line: "The cost of messages on official lines is calculated from these lists. Each applies from its date. Costs already calculated don't change.",
    example: 'Example list',
    check: (day) =>
      `This is an example with prices from ${day}. Check it against Meta's published list and save it before you rely on the costs.`,
    inForce: (day, currency) => `The latest applies from ${day}, in ${currency}.`,
    edit: 'Edit the list',
    field: 'Price lists, as JSON',
    save: 'Save',
    cancel: 'Cancel',
    reset: 'Back to the example',
    saved: 'Prices saved',
    notJson: "This isn't JSON: check commas, quotes and braces",
  },
})

const pricesKey = ['message-prices']

function parseJson(text: string): { lists: PriceListState['lists'] } | null {
  try {
    return { lists: JSON.parse(text) as PriceListState['lists'] }
  } catch {
    return null
  }
}
/** A calendar day, read at noon so that no time zone moves it. */
const showDay = (day: string) => formatDay(`${day}T12:00:00`)

/** Meta's price lists for all companies, as JSON. */
export function MessagePricesOption() {
  const words = useTexts(texts)
  const client = useQueryClient()
  const { data: state } = useQuery({
    queryKey: pricesKey,
    queryFn: ({ signal }) => callApi(messagePricesApi.show, {}, { signal }),
  })
  const [typed, setTyped] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const parsed = typed === null ? null : parseJson(typed)
  const save = async (lists: PriceListState['lists'] | null) => {
    setBusy(true)
    try {
      setCachedQuery(client, pricesKey, await callApi(messagePricesApi.save, { body: { lists } }))
      setTyped(null)
      toast.ok(words.saved)
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  const newest = state?.lists[0]
  return (
    <li className={classes.option} data-wide>
      <div className={classes.words}>
        <span className={classes.name}>
          {words.name} {state?.isExample && <Chip>{words.example}</Chip>}
        </span>
        <span className={classes.line}>{words.line}</span>
        {state && newest && (
          <span className={classes.version}>
            {state.isExample ? words.check(showDay(newest.from)) : words.inForce(showDay(newest.from), newest.currency)}
          </span>
        )}
        {typed !== null && (
          <Textarea
            mt={8}
            aria-label={words.field}
            autosize
            minRows={8}
            maxRows={20}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--rc-mono)', fontSize: 13 } }}
            value={typed}
            error={parsed ? undefined : words.notJson}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </div>
      <div className={classes.versionControl}>
        <div className={classes.versionButtons}>
          {busy && <Loader size={14} />}
          {typed === null ? (
            <Button
              size="xs"
              variant="default"
              disabled={!state}
              onClick={() => setTyped(JSON.stringify(state?.lists ?? [], null, 2))}
            >
              {words.edit}
            </Button>
          ) : (
            <>
              <Button size="xs" disabled={busy || !parsed} onClick={() => parsed && void save(parsed.lists)}>
                {words.save}
              </Button>
              <Button size="xs" variant="default" disabled={busy} onClick={() => setTyped(null)}>
                {words.cancel}
              </Button>
            </>
          )}
          {state && !state.isExample && (
            <Button size="xs" variant="default" disabled={busy} onClick={() => void save(null)}>
              {words.reset}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}
