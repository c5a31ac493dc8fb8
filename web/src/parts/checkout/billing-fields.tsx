import { Select, TextInput } from '@mantine/core'
import { type BillingField, billingFieldMaxLengths } from '@recado/contract/billing'
import { useTexts } from '../../lib/texts.ts'
import { FieldError } from '../../ui/text-field.tsx'
import classes from './checkout.module.css'
import { texts } from './texts.ts'

export type BillingData = Record<BillingField, string>
const fieldNames = Object.keys(billingFieldMaxLengths) as BillingField[]
/** Spec, section 5: required fields of the first checkout step. */
const requiredFields: BillingField[] = [
  'billingName',
  'addressStreet',
  'addressCity',
  'addressZipCode',
  'addressCountry',
]
/** The two countries of the specification come first; other stored values are kept as they are. */
const countries = ['BR', 'usa', 'AR', 'CL', 'CO', 'ES', 'MX', 'PE', 'PT', 'UY']
const zipPattern = /^[\p{L}\d -]{4,10}$/u

export type BillingProblems = Partial<Record<BillingField, 'required' | 'badZip'>>

export function findBillingProblems(billing: BillingData): BillingProblems {
  const missing = requiredFields.filter((name) => !billing[name].trim()).map((name) => [name, 'required'] as const)
  const bad = billing.addressZipCode && !zipPattern.test(billing.addressZipCode.trim())
  return Object.fromEntries([...missing, ...(bad ? [['addressZipCode', 'badZip'] as const] : [])])
}

type Props = { value: BillingData; onChange: (next: BillingData) => void; problems: BillingProblems }

/** The billing address. */
export function BillingFields({ value, onChange, problems }: Props) {
  const words = useTexts(texts)
  const country = value.addressCountry
  return (
    <div className={classes.fields}>
      {fieldNames.map((name) => {
        const problem = problems[name]
        const common = {
          label: words.fields[name],
          value: value[name],
          withAsterisk: requiredFields.includes(name),
          error: problem && <FieldError>{words[problem]}</FieldError>,
        }
        return name === 'addressCountry' ? (
          <Select
            key={name}
            {...common}
            value={country || null}
            data={country && !countries.includes(country) ? [country, ...countries] : countries}
            onChange={(next) => onChange({ ...value, addressCountry: next ?? '' })}
          />
        ) : (
          <TextInput
            key={name}
            {...common}
            maxLength={billingFieldMaxLengths[name]}
            data-wide={name === 'billingName' || name === 'addressStreet' || undefined}
            onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
          />
        )
      })}
    </div>
  )
}
