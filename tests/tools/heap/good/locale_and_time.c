/* parts of the library that keep memory of their own */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <locale.h>
#include <time.h>

int main(void)
{
    setlocale(LC_ALL, "");
    time_t t = 0;
    char text[100];
    strftime(text, sizeof text, "%c %Z", localtime(&t));
    return text[0] == 0;
}
