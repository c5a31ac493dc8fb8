import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { TextField } from '../../ui/text-field.tsx'
import classes from './phone-field.module.css'
import { texts } from './texts.ts'

/** Loaded on demand: the numbers of twenty countries would weigh on the page that everybody opens first. */
export const loadPhoneNumbers = () => import('../../parts/phone-number.ts')
type PhoneNumbers = Awaited<ReturnType<typeof loadPhoneNumbers>>
type CountryCode = keyof PhoneNumbers['phoneCountries']

export type PhoneValue = { typed: string; country: CountryCode | null }
type Props = { value: PhoneValue; onChange: (value: PhoneValue) => void; error: string | undefined }

/** A telephone number, formatted while it is typed as people do in the chosen country. */
export function PhoneField({ value, onChange, error }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const [numbers, setNumbers] = useState<PhoneNumbers | null>(null)
  useEffect(() => {
    loadPhoneNumbers().then(setNumbers, () => undefined)
  }, [])
  const here = numbers?.guessCountry(navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone) ?? null
  const country = value.country ?? here
  const format = (typed: string, code = country) => (numbers && code ? numbers.formatPhoneTyped(typed, code) : typed)
  const names = new Intl.DisplayNames(language, { type: 'region' })
  const choices = numbers
    ? (Object.keys(numbers.phoneCountries) as CountryCode[])
        .map((code) => ({ code, name: names.of(code) ?? code, dial: numbers.phoneCountries[code].dial }))
        .sort((a, b) => a.name.localeCompare(b.name, language))
    : []
  return (
    <TextField
      label={words.phone}
      name="phone"
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      leftSectionWidth={92}
      leftSectionPointerEvents="all"
      leftSection={
        <span className={classes.country}>
          {country && numbers ? `${country} +${numbers.phoneCountries[country].dial}` : '+'}
          <IconChevronDown size={13} stroke={2} aria-hidden="true" />
          <select
            aria-label={words.country}
            value={country ?? ''}
            onChange={(event) => {
              const code = event.currentTarget.value as CountryCode
              onChange({ country: code, typed: format(value.typed, code) })
            }}
          >
            {choices.map(({ code, name, dial }) => (
              <option key={code} value={code}>
                {name} +{dial}
              </option>
            ))}
          </select>
        </span>
      }
      value={value.typed}
      onChange={(event) => onChange({ country, typed: format(event.currentTarget.value) })}
      error={error}
    />
  )
}
