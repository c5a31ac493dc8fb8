import type { CountryPrices, PriceList } from '@recado/contract/money/message-prices'

const country = (
  name: string,
  codes: string[],
  marketing: string,
  utility: string,
  authentication = utility,
): CountryPrices => ({ country: name, codes, marketing, utility, authentication, service: '0' })

/**
 * An example in the form of Meta's price list of July 2025, in dollars. Meta changes its prices every quarter, so an
 * operator has to check it against Meta's own list; screens say so until somebody saves a list.
 */
export const exampleMessagePrices: PriceList[] = [
  {
    from: '2025-07-01',
    currency: 'USD',
    countries: [
      country('Argentina', ['54'], '0.0618', '0.026'),
      country('Brasil', ['55'], '0.0625', '0.0068'),
      country('Chile', ['56'], '0.0889', '0.02'),
      country('Colombia', ['57'], '0.0125', '0.0008'),
      country('España', ['34'], '0.0615', '0.02'),
      country('México', ['52'], '0.0305', '0.0085'),
      country('Perú', ['51'], '0.0703', '0.02'),
      country('Estados Unidos y Canadá', ['1'], '0.025', '0.0034'),
      country(
        'Resto de América Latina',
        [
          ...['501', '502', '503', '504', '505', '506', '507', '509', '591', '592', '593', '594', '595', '597', '598'],
          ...['58', '1787', '1939', '1809', '1829', '1849', '1876'],
        ],
        '0.074',
        '0.0113',
      ),
      country('Otros países', ['*'], '0.0604', '0.0077'),
    ],
  },
]
