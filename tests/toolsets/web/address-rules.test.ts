import { isListed } from '../../../src/toolsets/web/host-list';
import { isPublicAddress } from '../../../src/toolsets/web/address-rules';
import { kindOf, textOf } from '../../../src/toolsets/web/page-text';

describe('addresses', () => {
  it.each([
    '93.184.216.34',
    '8.8.8.8',
    '1.1.1.1',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '2606:2800:220:1:248:1893:25c8:1946',
    '2a00:1450::1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.1.1.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '2001:10::1',
    '2001:20::1',
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '127.0.0.1:80',
    '[::1]',
    ' 8.8.8.8',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('lists of hosts', () => {
  it.each([
    [['example.com'], 'https://example.com/x', true],
    [['Example.COM'], 'https://EXAMPLE.com./x', true],
    [['example.com'], 'https://www.example.com/', false],
    [['example.com'], 'https://example.com.evil.test/', false],
    [['example.com'], 'https://example.com@evil.test/', false],
    [['*.example.com'], 'https://a.b.example.com/', true],
    [['*.example.com'], 'https://example.com/', false],
    [['*.example.com'], 'https://evilexample.com/', false],
    [['localhost:8080'], 'http://localhost:8080/', true],
    [['localhost:8080'], 'http://localhost/', false],
    [['localhost:80'], 'http://localhost/', true],
    [['localhost'], 'http://localhost:8080/', true],
    [['[::1]:8080'], 'http://[::1]:8080/', true],
    [['::1'], 'http://[::1]:8080/', true],
    [['127.0.0.1'], 'http://2130706433/', true],
    [[], 'http://a/', false],
  ])('%j and %s: %s', (list, url, listed) => expect(isListed(list, new URL(url))).toBe(listed));
});

describe('content', () => {
  it.each([
    ['text/html; charset=utf-8', 'html'],
    ['application/xhtml+xml', 'html'],
    ['text/plain', 'text'],
    ['application/json', 'text'],
    ['application/ld+json; charset=utf-8', 'text'],
    ['image/svg+xml', 'text'],
    ['image/png', 'binary'],
    ['application/pdf', 'binary'],
    ['application/octet-stream', 'binary'],
  ])('%s is %s', (type, kind) => expect(kindOf(type, Buffer.alloc(0))).toBe(kind));

  it('is looked at where the server says nothing of it', () => {
    expect(kindOf('', Buffer.from('\n<!DOCTYPE html><p>'))).toBe('html');
    expect(kindOf('', Buffer.from('plain'))).toBe('text');
    expect(kindOf('', Buffer.from([1, 0, 2]))).toBe('binary');
  });

  it.each([
    ['text/plain; charset=iso-8859-1', Buffer.from([0x68, 0xe9]), 'hé'],
    ['text/plain; charset="windows-1251"', Buffer.from([0xcf, 0xf0]), 'Пр'],
    ['text/plain; charset=shift_jis', Buffer.from([0x93, 0xfa]), '日'],
    ['text/plain; charset=nonsense', Buffer.from('hé'), 'hé'],
    ['text/plain; charset=iso-8859-1', Buffer.from('\ufeffhé'), 'hé'],
    ['text/html', Buffer.from('<meta charset="latin1">h\u00e9', 'latin1'), '<meta charset="latin1">hé'],
    ['text/plain', Buffer.from('\ufeffhé', 'utf16le'), 'hé'],
  ])('of %s is decoded', (type, bytes, text) => expect(textOf(bytes, type, kindOf(type, bytes))).toBe(text));
});
