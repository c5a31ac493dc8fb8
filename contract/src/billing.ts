import { z } from 'zod'

/** The billing fields of a company, with the names that Whaticket-compatible clients use. */
export const billingFieldMaxLengths = {
  billingName: 120,
  billingDocument: 30,
  addressStreet: 200,
  addressDistrict: 100,
  addressCity: 100,
  addressState: 100,
  addressZipCode: 20,
  addressCountry: 60,
} as const
export type BillingField = keyof typeof billingFieldMaxLengths
const mapBillingFields = <T>(of: (most: number) => T) =>
  Object.fromEntries(Object.entries(billingFieldMaxLengths).map(([name, most]) => [name, of(most)])) as Record<
    BillingField,
    T
  >
export const billingShape = mapBillingFields(() => z.string())
/** Older clients do not send these fields: absent means unchanged. */
export const billingWriteShape = mapBillingFields((most) =>
  z.preprocess((v) => v ?? undefined, z.string().trim().max(most).optional()),
)
