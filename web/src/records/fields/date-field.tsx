import { DateInput } from '@mantine/dates'
import '@mantine/dates/styles.css'
import 'dayjs/locale/es'
import 'dayjs/locale/pt-br'
import type { ComponentProps } from 'react'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { recordTexts } from '../texts.ts'
import { parseDay } from './parse-day.ts'

type Props = Pick<
  ComponentProps<typeof DateInput>,
  'label' | 'aria-label' | 'placeholder' | 'description' | 'error' | 'withAsterisk' | 'inputWrapperOrder'
> & { value: string | null; onChange: (day: string | null) => void }

const locales = { es: 'es', pt: 'pt-br', en: 'en' }

/** A day as `YYYY-MM-DD`, typed or picked; shown as dd/MM/yyyy in every language. */
export function DateField({ value, onChange, placeholder, ...wrapper }: Props) {
  const [language] = useLanguage()
  const words = useTexts(recordTexts)
  return (
    <DateInput
      {...wrapper}
      value={value}
      onChange={onChange}
      valueFormat="DD/MM/YYYY"
      dateParser={parseDay}
      locale={locales[language]}
      firstDayOfWeek={language === 'en' ? 0 : 1}
      weekendDays={[]}
      placeholder={placeholder ?? words.noDate}
      clearable
      clearButtonProps={{ 'aria-label': words.clear }}
      size="sm"
      popoverProps={{ shadow: 'lg' }}
    />
  )
}
