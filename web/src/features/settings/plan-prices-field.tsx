import { ActionIcon, Button, Input, NumberInput, Select } from '@mantine/core'
import { type Currency, currencies } from '@recado/contract/money/currency'
import type { Plan } from '@recado/contract/plans'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { moneyInputProps, useCurrencyName } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import type { FieldSlot } from '../../records/fields/field.ts'
import { planTexts } from './plan-texts.ts'
import classes from './settings.module.css'

export type PlanFormValues = Omit<Plan, 'id'>
type Props = { form: FieldSlot<PlanFormValues>['form']; error: ReactNode }

/** The prices of a plan in currencies other than its own, each once. */
export function PlanPricesField({ form, error }: Props) {
  const words = useTexts(planTexts)
  const currencyName = useCurrencyName()
  const { prices, currency: own } = form.values
  const free = currencies.filter((one) => one !== own && !prices.some(({ currency }) => currency === one))
  const setPrices = (next: PlanFormValues['prices']) => form.setFieldValue('prices', next)
  const change = (index: number, next: Partial<PlanFormValues['prices'][number]>) =>
    setPrices(prices.map((price, n) => (n === index ? { ...price, ...next } : price)))
  return (
    <Input.Wrapper
      label={words.prices}
      description={words.pricesLine}
      error={error}
      component="fieldset"
      className={classes.pricesGroup ?? ''}
    >
      <div className={classes.prices}>
        {prices.map(({ currency, value }, index) => (
          <div key={currency} className={classes.price}>
            <Select
              aria-label={`${words.currency}: ${currency}`}
              size="sm"
              allowDeselect={false}
              value={currency}
              onChange={(next) => next && change(index, { currency: next as Currency })}
              data={currencies
                .filter((one) => one === currency || free.includes(one))
                .map((one) => ({ value: one, label: currencyName(one) }))}
            />
            <NumberInput
              aria-label={`${words.value}: ${currency}`}
              size="sm"
              {...moneyInputProps(currency)}
              value={value}
              onChange={(next) => change(index, { value: Number(next) || 0 })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`${words.removePrice}: ${currency}`}
              onClick={() => setPrices(prices.filter((_, n) => n !== index))}
            >
              <IconTrash size={17} stroke={1.75} />
            </ActionIcon>
          </div>
        ))}
        {free[0] && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} stroke={1.75} />}
            onClick={() => setPrices([...prices, { currency: free[0] as Currency, value: 0 }])}
          >
            {words.addPrice}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}
