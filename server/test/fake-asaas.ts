import { type LoopbackRequest, openLoopbackServer } from './loopback-server.ts'

type Payment = { id: string; status: string; value: number; externalReference: string; customer: string }

/** A fake Asaas server: customers, Pix payments with their QR code, webhooks with a token. */
export async function fakeAsaas() {
  const customers = new Map<string, string>()
  const payments = new Map<string, Payment>()
  const hooks: { url: string; authToken: string }[] = []
  const machine = await openLoopbackServer(answer)

  function answer({ method, path, headers, body }: LoopbackRequest) {
    if (headers.access_token !== 'asaas-token')
      return { status: 401, body: { errors: [{ code: 'invalid_access_token' }] } }
    const given = body ? JSON.parse(body) : {}
    const { pathname, searchParams } = new URL(path, 'http://asaas')
    if (pathname === '/customers' && method === 'GET') {
      const known = customers.get(searchParams.get('externalReference') ?? '')
      return { body: { data: known ? [{ id: known }] : [] } }
    }
    if (pathname === '/customers') {
      if (!given.cpfCnpj) return { status: 400, body: { errors: [{ code: 'invalid_cpfCnpj' }] } }
      const id = `cus_${customers.size + 1}`
      customers.set(given.externalReference, id)
      return { body: { id } }
    }
    if (pathname === '/webhooks') {
      if (method === 'POST') hooks.push(given)
      return { body: { data: hooks.map(({ url }, n) => ({ id: `hook_${n}`, url })) } }
    }
    if (pathname === '/payments' && method === 'GET') {
      const asked = searchParams.get('externalReference')
      return { body: { data: [...payments.values()].filter((one) => one.externalReference === asked) } }
    }
    if (pathname === '/payments') {
      const payment = { ...given, id: `pay_${payments.size + 1}`, status: 'PENDING' } as Payment
      payments.set(payment.id, payment)
      return { body: payment }
    }
    const payment = payments.get(pathname.split('/')[2] ?? '')
    if (!payment) return { status: 404, body: {} }
    return {
      body: pathname.endsWith('/pixQrCode') ? { payload: `00020101asaas${payment.id}`, encodedImage: '' } : payment,
    }
  }

  return {
    ...machine,
    customers,
    payments,
    hooks,
    /** Pays a payment; returns the webhook body. */
    pays(id: string, value?: number) {
      const payment = payments.get(id) as Payment
      Object.assign(payment, { status: 'RECEIVED', ...(value !== undefined && { value }) })
      return { event: 'PAYMENT_RECEIVED', payment: { id, externalReference: payment.externalReference } }
    },
  }
}
