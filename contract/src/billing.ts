import { z } from 'zod'

/** What a company's bills are written with, by the names that clients of this family read. */
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
/** Older clients do not know these fields: absent means as it was. */
export const billingWriteShape = mapBillingFields((most) =>
  z.preprocess((v) => v ?? undefined, z.string().trim().max(most).optional()),
)
