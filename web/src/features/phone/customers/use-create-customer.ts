import type { Connection } from '@recado/contract/connections'
import { sandboxApi } from '@recado/contract/sandbox'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { texts } from '../texts.ts'
import type { PhoneAddress } from '../use-phone-address.ts'
import { pickUnusedName } from './pick-unused-name.ts'

/** Creates a customer without a contact or history. */
export function useCreateCustomer(lineId: number, onMade: (number: string) => void): () => Promise<void> {
  const words = useTexts(texts)
  const client = useQueryClient()
  return async () => {
    try {
      const customers = await callApi(sandboxApi.customers, { params: { whatsappId: lineId } })
      const name = pickUnusedName(
        words.names,
        customers.map((one) => one.name),
      )
      const made = await callApi(sandboxApi.addCustomer, {
        params: { whatsappId: lineId },
        body: { name, isGroup: false },
      })
      await client.invalidateQueries({ queryKey: ['sandbox', lineId, 'customers'] })
      onMade(made.number)
    } catch (error) {
      toast.error(error)
    }
  }
}

type ChangeAddress = (change: Partial<PhoneAddress>, replace?: boolean) => void
/** Creates a new customer when the URL requests it; a reload keeps that customer. */
export function useCreateCustomerFromAddress(
  line: Connection,
  { fresh }: PhoneAddress,
  setAddress: ChangeAddress,
): void {
  const made = useRef(false)
  const make = useCreateCustomer(line.id, (number) =>
    setAddress({ line: line.id, chat: number, view: 'chat', fresh: undefined }, true),
  )
  const begin = useEffectEvent(() => {
    if (made.current) return
    made.current = true
    void make()
  })
  useEffect(() => {
    if (fresh) begin()
  }, [fresh])
}
