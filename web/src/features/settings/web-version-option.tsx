import { Button, Loader, TextInput } from '@mantine/core'
import { type WebVersionState, webVersionApi } from '@recado/contract/health/web-version'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDayTime } from '../../lib/format.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { Chip } from '../../ui/chip.tsx'
import classes from './settings.module.css'

const texts = defineTexts({
  es: {
    name: 'Versión de WhatsApp Web',
    line: 'Los teléfonos vinculados se presentan con ella. Recado busca la actual por su cuenta; fija otra solo si WhatsApp rechaza la que usa.',
    inUse: (version: string) => `En uso: ${version}`,
    pinned: 'Fijada',
    found: (version: string, at: string) => `WhatsApp nombró ${version} (${at}).`,
    refused: (version: string, at: string) =>
      `WhatsApp rechaza ${version} desde ${at}: actualiza Recado, o prueba una versión más nueva y fíjala.`,
    field: 'Versión que quieres fijar',
    test: 'Probar',
    pin: 'Fijar',
    unpin: 'Volver a la automática',
    saved: 'Opción guardada',
    malformed: 'Son tres números con puntos, como 2.3000.1043857760',
    result: {
      accepted: (version: string) => `WhatsApp acepta la versión ${version}`,
      refused: (version: string) => `WhatsApp rechaza la versión ${version}: es demasiado antigua`,
      unreachable: () => 'No se pudo probar: este servidor no llega a WhatsApp',
    },
  },
  pt: {
    name: 'Versão do WhatsApp Web',
    line: 'Os telefones vinculados se apresentam com ela. O Recado procura a atual sozinho; fixe outra só se o WhatsApp recusar a que está em uso.',
    inUse: (version) => `Em uso: ${version}`,
    pinned: 'Fixada',
    found: (version, at) => `O WhatsApp informou ${version} (${at}).`,
    refused: (version, at) =>
      `O WhatsApp recusa ${version} desde ${at}: atualize o Recado, ou teste uma versão mais nova e fixe-a.`,
    field: 'Versão que você quer fixar',
    test: 'Testar',
    pin: 'Fixar',
    unpin: 'Voltar à automática',
    saved: 'Opção salva',
    malformed: 'São três números com pontos, como 2.3000.1043857760',
    result: {
      accepted: (version) => `O WhatsApp aceita a versão ${version}`,
      refused: (version) => `O WhatsApp recusa a versão ${version}: é antiga demais`,
      unreachable: () => 'Não foi possível testar: este servidor não alcança o WhatsApp',
    },
  },
  en: {
    name: 'WhatsApp Web version',
    line: 'Linked phones connect with this version. Recado looks up the current one on its own; pin another only if WhatsApp refuses it.',
    inUse: (version) => `In use: ${version}`,
    pinned: 'Pinned',
    found: (version, at) => `WhatsApp named ${version} (${at}).`,
    refused: (version, at) =>
      `WhatsApp has refused ${version} since ${at}: update Recado, or test a newer version and pin it.`,
    field: 'Version to pin',
    test: 'Test',
    pin: 'Pin',
    unpin: 'Back to automatic',
    saved: 'Setting saved',
    malformed: 'Three numbers with dots, such as 2.3000.1043857760',
    result: {
      accepted: (version) => `WhatsApp accepts version ${version}`,
      refused: (version) => `WhatsApp refuses version ${version}: it's too old`,
      unreachable: () => "Couldn't test: this server can't reach WhatsApp",
    },
  },
})

const versionKey = ['web-version']
const isVersion = (text: string) => /^\d{1,3}\.\d{1,5}\.\d{1,10}$/.test(text)

/** The version of WhatsApp Web for the linked phones of all companies. An empty field tests the current version. */
export function WebVersionOption() {
  const words = useTexts(texts)
  const client = useQueryClient()
  const { data: state } = useQuery({
    queryKey: versionKey,
    queryFn: ({ signal }) => callApi(webVersionApi.show, {}, { signal }),
  })
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const version = typed.trim()
  const isMalformed = version !== '' && !isVersion(version)
  const run = async (work: () => Promise<WebVersionState>) => {
    setBusy(true)
    try {
      setCachedQuery(client, versionKey, await work())
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  const test = () =>
    run(async () => {
      const trial = await callApi(webVersionApi.test, { body: { version: version || null } })
      const text = words.result[trial.result](trial.version)
      if (trial.result === 'accepted') toast.ok(text)
      else toast.warn(text)
      return trial.state
    })
  const pin = (pinned: string | null) =>
    run(async () => {
      const saved = await callApi(webVersionApi.pin, { body: { pinned } })
      setTyped('')
      toast.ok(words.saved)
      return saved
    })
  return (
    <li className={classes.option} data-wide>
      <div className={classes.words}>
        <label className={classes.name} htmlFor="option-web-version">
          {words.name}
        </label>
        <span id="line-web-version" className={classes.line}>
          {words.line}
        </span>
        {state && (
          <span className={classes.version}>
            {words.inUse(state.inUse)} {state.pinned && <Chip>{words.pinned}</Chip>}
            {state.found && state.foundAt && ` ${words.found(state.found, formatDayTime(state.foundAt))}`}
          </span>
        )}
        {state?.refused && state.refusedAt && (
          <span className={classes.refused}>{words.refused(state.refused, formatDayTime(state.refusedAt))}</span>
        )}
      </div>
      <div className={classes.versionControl}>
        <TextInput
          id="option-web-version"
          aria-describedby="line-web-version"
          className={classes.pick ?? ''}
          size="sm"
          maxLength={30}
          inputMode="decimal"
          placeholder={words.field}
          value={typed}
          error={isMalformed && words.malformed}
          rightSection={busy ? <Loader size={14} /> : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <div className={classes.versionButtons}>
          <Button size="xs" variant="default" disabled={busy || isMalformed} onClick={() => void test()}>
            {words.test}
          </Button>
          <Button size="xs" disabled={busy || isMalformed || !version} onClick={() => void pin(version)}>
            {words.pin}
          </Button>
          {state?.pinned && (
            <Button size="xs" variant="default" disabled={busy} onClick={() => void pin(null)}>
              {words.unpin}
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}
