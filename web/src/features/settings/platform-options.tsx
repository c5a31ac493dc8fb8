import { Switch } from '@mantine/core'
import { type PlatformSettings, platformApi } from '@recado/contract/passwords/passwords'
import { useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { platformKey, usePasswordRule } from '../../parts/use-password-rule.ts'
import { Chip } from '../../ui/chip.tsx'
import { MessagePricesOption } from './message-prices-option.tsx'
import { PasskeyLinkingOption } from './passkey-linking-option.tsx'
import classes from './settings.module.css'
import { WebVersionOption } from './web-version-option.tsx'

const texts = defineTexts({
  es: {
    group: 'Toda la plataforma',
    name: 'Contraseñas fuertes',
    line: 'Las nuevas tienen de 8 a 128 caracteres y no pueden ser de las más usadas. Si lo desactivas, bastan de 5 a 50.',
    recommended: 'Recomendado',
    saved: 'Opción guardada',
  },
  pt: {
    group: 'Toda a plataforma',
    name: 'Senhas fortes',
    line: 'As novas têm de 8 a 128 caracteres e não podem ser das mais usadas. Se desativar, bastam de 5 a 50.',
    recommended: 'Recomendado',
    saved: 'Opção salva',
  },
  en: {
    group: 'Entire platform',
    name: 'Strong passwords',
    line: "New passwords need 8 to 128 characters and can't be common ones. If off, 5 to 50 is enough.",
    recommended: 'Recommended',
    saved: 'Setting saved',
  },
})

/** Settings of the super user for all companies. */
export function PlatformOptions() {
  const words = useTexts(texts)
  const client = useQueryClient()
  const rule = usePasswordRule()
  const save = async (passwords: PlatformSettings['passwords']) => {
    try {
      setCachedQuery(client, platformKey, await callApi(platformApi.update, { body: { passwords } }))
      toast.ok(words.saved)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <section>
      <h2 className={classes.group}>{words.group}</h2>
      <ul className={classes.list}>
        <li className={classes.option}>
          <div className={classes.words}>
            <span className={classes.marked}>
              <label className={classes.name} htmlFor="option-passwords">
                {words.name}
              </label>
              <Chip>{words.recommended}</Chip>
            </span>
            <span id="line-passwords" className={classes.line}>
              {words.line}
            </span>
          </div>
          <div className={classes.control}>
            <Switch
              id="option-passwords"
              aria-describedby="line-passwords"
              size="sm"
              checked={rule === 'strong'}
              onChange={(event) => void save(event.currentTarget.checked ? 'strong' : 'plain')}
            />
          </div>
        </li>
        <WebVersionOption />
        <PasskeyLinkingOption />
        <MessagePricesOption />
      </ul>
    </section>
  )
}
