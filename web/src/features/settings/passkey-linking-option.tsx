import { Switch } from '@mantine/core'
import { passkeyLinkingApi } from '@recado/contract/health/passkey-linking'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { Chip } from '../../ui/chip.tsx'
import classes from './settings.module.css'

const texts = defineTexts({
  es: {
    name: 'Vincular con llave de acceso',
    untried: 'Sin probar',
    line: 'Cuando WhatsApp pide una llave de acceso, su dueño firma en su navegador, con nuestra extensión. Nadie lo ha probado con un número real: WhatsApp puede rechazarlo o bloquear el número. Hazlo solo con uno que puedas perder.',
    saved: 'Opción guardada',
  },
  pt: {
    name: 'Conectar com chave de acesso',
    untried: 'Não testado',
    line: 'Quando o WhatsApp pede uma chave de acesso, o dono assina no próprio navegador, com a nossa extensão. Ninguém testou com um número real: o WhatsApp pode recusar ou bloquear o número. Use só um que você possa perder.',
    saved: 'Opção salva',
  },
  en: {
    name: 'Link with a passkey',
    untried: 'Untried',
    line: 'When WhatsApp asks for a passkey, its owner signs in their own browser, with our extension. No one has tried it with a real number: WhatsApp may refuse it or ban the number. Only use one you can afford to lose.',
    saved: 'Setting saved',
  },
})

const switchKey = ['passkey-linking']

/** Whether the phones of all companies may be linked with a passkey. Off on a new server. */
export function PasskeyLinkingOption() {
  const words = useTexts(texts)
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: switchKey,
    queryFn: ({ signal }) => callApi(passkeyLinkingApi.show, {}, { signal }),
  })
  const save = async (enabled: boolean) => {
    try {
      setCachedQuery(client, switchKey, await callApi(passkeyLinkingApi.save, { body: { enabled } }))
      toast.ok(words.saved)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <li className={classes.option}>
      <div className={classes.words}>
        <span className={classes.marked}>
          <label className={classes.name} htmlFor="option-passkey-linking">
            {words.name}
          </label>
          <Chip>{words.untried}</Chip>
        </span>
        <span id="line-passkey-linking" className={classes.line}>
          {words.line}
        </span>
      </div>
      <div className={classes.control}>
        <Switch
          id="option-passkey-linking"
          aria-describedby="line-passkey-linking"
          size="sm"
          disabled={!data}
          checked={data?.enabled ?? false}
          onChange={(event) => void save(event.currentTarget.checked)}
        />
      </div>
    </li>
  )
}
