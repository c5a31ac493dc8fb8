import { addErrorTexts, type MoneyErrorTexts } from '../../lib/errors.ts'
import { defineTexts } from '../../lib/texts.ts'

/** Billing error texts, also needed for a locked company, where there is no shell. */
addErrorTexts(
  defineTexts<MoneyErrorTexts>({
    es: {
      ERR_PLAN_TOO_SMALL: 'Tienes más de lo que ese plan permite. Quita primero lo que excede.',
      ERR_PLAN_NO_PRICE: 'Ese plan no tiene precio en la moneda de la empresa.',
      ERR_PLAN_PRICE_IN_USE: 'Hay empresas que pagan ese precio. Cambia antes su moneda o su plan.',
      ERR_PAYMENT_CURRENCY: 'Pix solo existe en reales. Esta factura se paga de otra manera.',
      ERR_NO_INVOICE_FOUND: 'Esa factura no existe.',
      ERR_INVOICE_SETTLED: 'Esa factura ya no está abierta.',
      ERR_NO_CHARGE_FOUND: 'Ese cobro ya no existe.',
      ERR_NO_PAYMENT_FOUND: 'Ese pago no existe.',
      ERR_PAYMENT_SETTLED: 'Ese pago ya se resolvió.',
      ERR_PAYMENT_SHORT: 'El pago no alcanza para esa factura.',
      ERR_PAYMENT_NOT_SET: 'La plataforma todavía no configuró los pagos. Habla con quien la administra.',
      ERR_PAYMENT_PROVIDER: 'El proveedor de pagos devolvió un error. Prueba de nuevo en un momento.',
    },
    pt: {
      ERR_PLAN_TOO_SMALL: 'Você tem mais do que esse plano permite. Remova antes o que excede.',
      ERR_PLAN_NO_PRICE: 'Esse plano não tem preço na moeda da empresa.',
      ERR_PLAN_PRICE_IN_USE: 'Há empresas que pagam esse preço. Mude antes a moeda ou o plano delas.',
      ERR_PAYMENT_CURRENCY: 'O Pix só existe em reais. Esta fatura é paga de outra forma.',
      ERR_NO_INVOICE_FOUND: 'Essa fatura não existe.',
      ERR_INVOICE_SETTLED: 'Essa fatura não está mais aberta.',
      ERR_NO_CHARGE_FOUND: 'Essa cobrança não existe mais.',
      ERR_NO_PAYMENT_FOUND: 'Esse pagamento não existe.',
      ERR_PAYMENT_SETTLED: 'Esse pagamento já foi resolvido.',
      ERR_PAYMENT_SHORT: 'O pagamento não cobre essa fatura.',
      ERR_PAYMENT_NOT_SET: 'A plataforma ainda não configurou os pagamentos. Fale com quem a administra.',
      ERR_PAYMENT_PROVIDER: 'O provedor de pagamentos devolveu um erro. Tente de novo em um momento.',
    },
    en: {
      ERR_PLAN_TOO_SMALL: "You have more than that plan allows. Remove what's over the limit first.",
      ERR_PLAN_NO_PRICE: "That plan has no price in the company's currency.",
      ERR_PLAN_PRICE_IN_USE: 'Some companies pay that price. Change their currency or plan first.',
      ERR_PAYMENT_CURRENCY: 'Pix only exists in Brazilian reais. This invoice is paid another way.',
      ERR_NO_INVOICE_FOUND: "That invoice doesn't exist.",
      ERR_INVOICE_SETTLED: 'That invoice is no longer open.',
      ERR_NO_CHARGE_FOUND: 'That charge no longer exists.',
      ERR_NO_PAYMENT_FOUND: "That payment doesn't exist.",
      ERR_PAYMENT_SETTLED: 'That payment has already been resolved.',
      ERR_PAYMENT_SHORT: "The payment doesn't cover that invoice.",
      ERR_PAYMENT_NOT_SET: "The platform hasn't set up payments yet. Contact its administrator.",
      ERR_PAYMENT_PROVIDER: 'The payment provider returned an error. Try again in a moment.',
    },
  }),
)
